import { KEA } from './kea.ts';
import type { Plane } from './local-plane.ts';
import { randomOf } from './random.ts';
import type { PlanePoint } from './track.ts';

/** Signed distances to the coast in metres, on a grid around the scene's origin; positive on land. */
export type Coast = {
  cells: Float32Array;
  size: number;
  cellM: number;
  /** Whether there is any land on the grid. */
  hasLand: boolean;
};

const HALF_M = 8000;
const CELL_M = 8;
const SIZE = (2 * HALF_M) / CELL_M;
/** Distance in metres up to which values are exact; beyond that they are slightly too large. */
const EXACT_M = 40;
const STRAIGHT_M = CELL_M;
const OBLIQUE_M = CELL_M * Math.SQRT2;
/** Length in metres above which straight segments of the map are subdivided. */
const STRETCH_M = 12;

/** Returns the built-in coast around a scene's origin; open sea if the coast is outside the grid. */
export function makeCoast(plane: Plane): Coast {
  const ring = roughen(KEA.map(([lon, lat]) => plane.toPlane({ lon, lat })));
  const cells = new Float32Array(SIZE * SIZE).fill(Number.POSITIVE_INFINITY);
  markEdges(cells, ring);
  spread(cells);
  const hasLand = signInside(cells, ring);
  if (!hasLand) cells.fill(-HALF_M);
  return { cells, size: SIZE, cellM: CELL_M, hasLand };
}

/** Repeatedly divides each segment into two, with its middle displaced sideways by a random share of its length. */
function roughen(ring: readonly PlanePoint[]): PlanePoint[] {
  const random = randomOf(1983);
  let points: readonly PlanePoint[] = ring;
  for (let round = 0; round < 9; round += 1) {
    points = points.flatMap((point, index): PlanePoint[] => {
      const next = points[(index + 1) % points.length]!;
      const [east, north] = [next[0] - point[0], next[1] - point[1]];
      const lengthM = Math.hypot(east, north);
      if (lengthM < STRETCH_M) return [point];
      // Displace the middle of long segments less, so that the picture still agrees with the base map.
      const aside = (random() - 0.5) * Math.min(0.36, 60 / lengthM + 0.12);
      return [point, [(point[0] + next[0]) / 2 - north * aside, (point[1] + next[1]) / 2 + east * aside]];
    });
  }
  return [...points];
}

/** Returns the column or row of a coordinate; the centre of cell 0 is half a cell inside the grid. */
const cellOf = (metres: number): number => Math.floor((metres + HALF_M) / CELL_M);
const middleOf = (cell: number): number => (cell + 0.5) * CELL_M - HALF_M;
/** Returns the fractional cell number whose centre is at a coordinate. */
const cellBefore = (metres: number): number => (metres + HALF_M) / CELL_M - 0.5;

function markEdges(cells: Float32Array, ring: readonly PlanePoint[]): void {
  ring.forEach(([east, north], index) => {
    const [toEast, toNorth] = ring[(index + 1) % ring.length]!;
    const first = Math.max(0, cellOf(Math.min(east, toEast) - EXACT_M));
    const last = Math.min(SIZE - 1, cellOf(Math.max(east, toEast) + EXACT_M));
    const low = Math.max(0, cellOf(Math.min(north, toNorth) - EXACT_M));
    const high = Math.min(SIZE - 1, cellOf(Math.max(north, toNorth) + EXACT_M));
    for (let row = low; row <= high; row += 1) {
      for (let column = first; column <= last; column += 1) {
        const [x, y] = [middleOf(column) - east, middleOf(row) - north];
        const [dx, dy] = [toEast - east, toNorth - north];
        const share = Math.max(0, Math.min(1, (x * dx + y * dy) / (dx * dx + dy * dy)));
        const distance = Math.hypot(x - share * dx, y - share * dy);
        const at = row * SIZE + column;
        if (distance < cells[at]!) cells[at] = distance;
      }
    }
  });
}

/**
 * Propagates the distances outwards from the edges in two passes of a chamfer transform: down and right, then up and
 * left.
 */
function spread(cells: Float32Array): void {
  for (let row = 0; row < SIZE; row += 1) spreadRow(cells, row, 1);
  for (let row = SIZE - 1; row >= 0; row -= 1) spreadRow(cells, row, -1);
}

/** Propagates distances from the previous row, and within the row from one end to the other. */
function spreadRow(cells: Float32Array, row: number, step: 1 | -1): void {
  const own = row * SIZE;
  const before = own - step * SIZE;
  const isFirst = row === (step === 1 ? 0 : SIZE - 1);
  const start = step === 1 ? 0 : SIZE - 1;
  const end = SIZE - 1 - start;
  // Beyond both ends of the grid, no coast is assumed.
  let behind = Number.POSITIVE_INFINITY;
  let obliqueBehind = Number.POSITIVE_INFINITY;
  for (let column = start; column !== end + step; column += step) {
    let least = cells[own + column]!;
    if (behind + STRAIGHT_M < least) least = behind + STRAIGHT_M;
    if (!isFirst) {
      const beside = cells[before + column]!;
      const ahead = column === end ? Number.POSITIVE_INFINITY : cells[before + column + step]!;
      if (beside + STRAIGHT_M < least) least = beside + STRAIGHT_M;
      if (obliqueBehind + OBLIQUE_M < least) least = obliqueBehind + OBLIQUE_M;
      if (ahead + OBLIQUE_M < least) least = ahead + OBLIQUE_M;
      obliqueBehind = beside;
    }
    cells[own + column] = least;
    behind = cells[own + column]!;
  }
}

/** Makes distances outside the ring negative. */
function signInside(cells: Float32Array, ring: readonly PlanePoint[]): boolean {
  let hasLand = false;
  crossingsOf(ring).forEach((crossings, row) => {
    crossings.sort((a, b) => a - b);
    let passed = 0;
    for (let column = 0; column < SIZE; column += 1) {
      while (passed < crossings.length && crossings[passed]! < middleOf(column)) passed += 1;
      const at = row * SIZE + column;
      if (passed % 2 === 0) cells[at] = -cells[at]!;
      else hasLand = true;
    }
  });
  return hasLand;
}

/** Returns for each row of the grid where the ring crosses the row's centre line, in metres east. */
function crossingsOf(ring: readonly PlanePoint[]): number[][] {
  const rows: number[][] = Array.from({ length: SIZE }, () => []);
  ring.forEach(([east, north], index) => {
    const [toEast, toNorth] = ring[(index + 1) % ring.length]!;
    const first = Math.max(0, Math.ceil(cellBefore(Math.min(north, toNorth))));
    const last = Math.min(SIZE, Math.ceil(cellBefore(Math.max(north, toNorth))));
    for (let row = first; row < last; row += 1) {
      rows[row]!.push(east + ((middleOf(row) - north) / (toNorth - north)) * (toEast - east));
    }
  });
  return rows;
}

/**
 * Returns a function that reads the distance at a place in metres, interpolated between cells; outside the grid, it
 * returns the distance at the grid's border.
 */
export function distanceReader({ cells, size, cellM }: Coast): (east: number, north: number) => number {
  const half = size / 2;
  const last = size - 1.001;
  return (east, north) => {
    const x = Math.max(0, Math.min(last, east / cellM + half - 0.5));
    const y = Math.max(0, Math.min(last, north / cellM + half - 0.5));
    const column = x | 0;
    const row = y | 0;
    const at = row * size + column;
    const right = x - column;
    const lower = cells[at]! + right * (cells[at + 1]! - cells[at]!);
    const upper = cells[at + size]! + right * (cells[at + size + 1]! - cells[at + size]!);
    return lower + (y - row) * (upper - lower);
  };
}
