import type { Position } from './point.ts';

/** Rows of latitude around the earth, with the ranges of longitude covered in each row. */
export type RowSet = {
  level: number;
  heightDeg: number;
  /** Returns the southern border of a row, in degrees. */
  southOf(index: number): number;
  /** Adds the inside (by the even-odd rule) of a ring that does not cross the antimeridian. */
  fill(ring: readonly Position[]): void;
  /** Returns the total number of covered longitude ranges in all rows. */
  stretches(): number;
  /**
   * Visits every row that is not empty, in no particular order. `ends` is an ascending list west, east, west, east,
   * ..., and must not be modified.
   */
  forEach(visit: (index: number, ends: readonly number[]) => void): void;
  /** Returns the same area with rows three times as high. */
  coarser(): RowSet;
};

/** Creates an empty set of rows, each 180 / 3^level degrees high. */
export function createRowSet(level: number, rows = new Map<number, number[]>()): RowSet {
  const heightDeg = 180 / 3 ** level;
  let count = 0;
  for (const ends of rows.values()) count += ends.length / 2;

  const addStretch = (index: number, west: number, east: number) => {
    const ends = rows.get(index);
    if (!ends) {
      rows.set(index, [west, east]);
      count += 1;
      return;
    }
    const before = ends.length;
    join(ends, west, east);
    count += (ends.length - before) / 2;
  };

  return {
    level,
    heightDeg,
    southOf: (index) => index * heightDeg - 90,
    fill(ring) {
      const lats = ring.map(([, lat]) => lat);
      // Consider the rows whose middle latitude is within the ring's range of latitudes.
      const first = Math.ceil((Math.min(...lats) + 90) / heightDeg - 0.5);
      const last = Math.floor((Math.max(...lats) + 90) / heightDeg - 0.5);
      for (let index = first; index <= last; index += 1) {
        const crossings = crossingsAt(ring, (index + 0.5) * heightDeg - 90);
        for (let at = 0; at + 1 < crossings.length; at += 2) {
          const [west, east] = [crossings[at]!, crossings[at + 1]!];
          if (east > west) addStretch(index, west, east);
        }
      }
    },
    stretches: () => count,
    forEach(visit) {
      for (const [index, ends] of rows) visit(index, ends);
    },
    coarser() {
      const retained = new Map<number, number[]>();
      // Keep the middle one of every three rows: its middle latitude is also that of the new row.
      for (const [index, ends] of rows) if (index % 3 === 1) retained.set((index - 1) / 3, ends);
      return createRowSet(level - 1, retained);
    },
  };
}

/** Returns the longitudes at which the ring's edges cross a parallel, in ascending order. */
function crossingsAt(ring: readonly Position[], lat: number): number[] {
  const crossings: number[] = [];
  for (let index = 0; index + 1 < ring.length; index += 1) {
    const [lonA, latA] = ring[index]!;
    const [lonB, latB] = ring[index + 1]!;
    if (latA <= lat === latB <= lat) continue;
    crossings.push(lonA + ((lat - latA) / (latB - latA)) * (lonB - lonA));
  }
  return crossings.sort((a, b) => a - b);
}

/** Adds one longitude range to a row's ascending ends, merging it with all ranges that it touches. */
function join(ends: number[], west: number, east: number): void {
  // Indexes of the first range that ends at or after `west`, and of the first range that begins after `east`.
  let first = 0;
  let high = ends.length / 2;
  while (first < high) {
    const middle = (first + high) >> 1;
    if (ends[2 * middle + 1]! < west) first = middle + 1;
    else high = middle;
  }
  let last = first;
  while (last < ends.length / 2 && ends[2 * last]! <= east) last += 1;
  if (last === first) {
    ends.splice(2 * first, 0, west, east);
    return;
  }
  const start = Math.min(west, ends[2 * first]!);
  const end = Math.max(east, ends[2 * last - 1]!);
  ends.splice(2 * first, 2 * (last - first), start, end);
}
