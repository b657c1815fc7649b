import { alongRing } from './coverage-box.ts';
import { boxCells, cellAt, type GridCell } from './coverage-cells.ts';
import { type Sighting, secondsOf } from './coverage-chunk.ts';
import { shapeOf } from './coverage-meets.ts';
import { cellTest } from './coverage-plane.ts';
import type { Position } from './point.ts';

/** Grid levels at which coverage is stored. Their cells measure about 300 m, 5 km and 78 km from south to north. */
export const SEEN_LEVELS = [16, 12, 8] as const;
/** Number of levels between a cell and its storage area: cells are stored together with all cells of the same area. */
const AREA_UP = 5;
/**
 * Coarsest level of cells used for a footprint. The sides of still coarser cells, which follow parallels, deviate too
 * much from great circles: at level 12 by 1 m, at level 8 by 226 m.
 */
const coarsestFor = (finest: number): number => Math.max(8, finest - 4);
/**
 * Maximum number of cells of a footprint at one level. Larger footprints (from about 400 km) are stored only at coarser
 * levels.
 */
const CELLS_MAX = 4096;
const HALF_BITS = 30;
/** Length of a stored block of coverage, in seconds. */
export const SEEN_HOUR_S = 3600;

/**
 * Cells of one level, grouped by area. The seconds of a minute in which a cell was seen are bits in two numbers of 30
 * bits each.
 */
export type CoverageMinute = Map<number, Map<number, [number, number]>>;

/**
 * Seconds of an hour in which each cell of an area was seen, as ascending [first, end) pairs. Keys identify cells
 * within the area.
 */
export type CoverageArea = Map<number, number[]>;

/** Returns the level of the area that contains a cell of one of the `SEEN_LEVELS`. */
export const coverageAreaLevel = (level: number): number => level - AREA_UP;

/** @returns the number under which an area is stored */
export const coverageArea = ({ level, column, row }: GridCell): number => cellAt(level, column, row);

/** Collects the grid cells that the footprints of a sensor intersect. */
export function createCoverageHours() {
  /**
   * Returns the cells that cover a footprint: cells of coarser levels that lie entirely within it, and cells of the
   * finest level that intersect its border.
   */
  function coverOf(corners: readonly Position[], finest: number): GridCell[] | null {
    const box = alongRing(corners);
    const test = cellTest(shapeOf(corners));
    const fine = boxCells(box, finest, 16);
    if (fine) return fine.length === 1 ? fine : fine.filter((cell) => test(cell) !== 'apart');
    const start = boxCells(box, coarsestFor(finest), CELLS_MAX);
    if (start === null) return null;
    const cover: GridCell[] = [];
    const visitCell = (cell: GridCell) => {
      const found = test(cell);
      if (found === 'apart') return;
      if (cell.level === finest || found === 'within') cover.push(cell);
      else for (const child of childrenOf(cell)) visitCell(child);
    };
    for (const cell of start) visitCell(cell);
    return cover;
  }

  /**
   * Returns the cells seen in each second of a minute, at all levels. `minute` counts from 1970. Sightings that do not
   * count still end the earlier ones.
   */
  function minuteOf(
    sightings: readonly Sighting[],
    minute: number,
    counts: (sighting: Sighting) => boolean = () => true,
  ): CoverageMinute {
    const coverage: CoverageMinute = new Map();
    const requested = { fromSecond: minute * 60, toSecond: (minute + 1) * 60 };
    for (const { sighting, first, last } of secondsOf(sightings, requested)) {
      if (!counts(sighting)) continue;
      const mask = bitsOf(first - requested.fromSecond, last - requested.fromSecond);
      for (const [level, cells] of coversOf(sighting.corners)) {
        for (const cell of cells) mark(coverage, cell, level, mask);
      }
    }
    return coverage;
  }

  function coversOf(corners: readonly Position[]): [level: number, cells: GridCell[]][] {
    try {
      let finer: GridCell[] | null = null;
      return SEEN_LEVELS.flatMap((level): [number, GridCell[]][] => {
        finer = finer === null ? coverOf(corners, level) : coarser(finer, level);
        return finer === null ? [] : [[level, finer]];
      });
    } catch (error) {
      // A footprint larger than half the earth intersects nothing.
      if (error instanceof RangeError) return [];
      throw error;
    }
  }

  return { minuteOf };
}

/** Adds a minute to the runs of its hour. Must be called in order of the minutes. */
export function addCoverageMinute(hour: Map<number, CoverageArea>, minute: CoverageMinute, minuteOfHour: number): void {
  const start = minuteOfHour * 60;
  for (const [area, cells] of minute) {
    const own = hour.get(area) ?? new Map<number, number[]>();
    hour.set(area, own);
    for (const [key, [low, high]] of cells) {
      const runs = own.get(key) ?? [];
      own.set(key, runs);
      for (let second = 0; second < 60; second += 1) {
        const half = second < HALF_BITS ? low : high;
        if (((half >> (second % HALF_BITS)) & 1) === 0) continue;
        if (runs[runs.length - 1] === start + second) runs[runs.length - 1] = start + second + 1;
        else runs.push(start + second, start + second + 1);
      }
    }
  }
}

/**
 * Packs an area of one hour. `last` holds the end of the last covered second of each cell, and `runs` holds all its
 * runs.
 */
export function packCoverage(area: CoverageArea): { last: Uint8Array; runs: Uint8Array } {
  const [last, runs]: [number[], number[]] = [[], []];
  let before = 0;
  for (const [key, ends] of [...area].sort(([a], [b]) => a - b)) {
    put(last, key - before);
    put(last, ends[ends.length - 1]!);
    put(runs, key - before);
    put(runs, ends.length / 2);
    let at = 0;
    for (const end of ends) {
      put(runs, end - at);
      at = end;
    }
    before = key;
  }
  return { last: Uint8Array.from(last), runs: Uint8Array.from(runs) };
}

/**
 * Calls `visit` with each cell of an area, and the end of the last second of the hour in which the cell was in view.
 */
export function readLastCovered(bytes: Uint8Array, visit: (key: number, end: number) => void): void {
  const values = reader(bytes);
  for (let key = 0; !values.isAtEnd(); ) {
    key += values.next();
    visit(key, values.next());
  }
}

/**
 * Calls `visit` with each cell that was in view before the second `before` of the hour, and the end of the last such
 * second.
 */
export function readCoverageRuns(bytes: Uint8Array, before: number, visit: (key: number, end: number) => void): void {
  const values = reader(bytes);
  for (let key = 0; !values.isAtEnd(); ) {
    key += values.next();
    let [at, latest] = [0, 0];
    for (let left = values.next(); left > 0; left -= 1) {
      const first = at + values.next();
      at = first + values.next();
      if (first < before) latest = Math.min(at, before);
    }
    if (latest > 0) visit(key, latest);
  }
}

/** Decodes the key of a cell inside an area into the level, column and row of the grid. */
export function coverageCellOf({ level, column, row }: GridCell, key: number): GridCell {
  const depth = (31 - Math.clz32(key)) >> 1;
  const number = key - 4 ** depth;
  let [x, y] = [0, 0];
  for (let bit = 0; bit < depth; bit += 1) {
    x |= ((number >> (2 * bit)) & 1) << bit;
    y |= ((number >> (2 * bit + 1)) & 1) << bit;
  }
  return { level: level + depth, column: column * 2 ** depth + x, row: row * 2 ** depth + y };
}

function mark(coverage: CoverageMinute, cell: GridCell, level: number, [low, high]: [number, number]): void {
  const areaLevel = coverageAreaLevel(level);
  const up = cell.level - areaLevel;
  const area = coverageArea({ level: areaLevel, column: cell.column >> up, row: cell.row >> up });
  const own = coverage.get(area) ?? new Map<number, [number, number]>();
  coverage.set(area, own);
  const key = keyIn(cell, up);
  const existing = own.get(key);
  if (existing) {
    existing[0] |= low;
    existing[1] |= high;
  } else own.set(key, [low, high]);
}

function keyIn({ column, row }: GridCell, depth: number): number {
  let key = 1;
  for (let bit = depth - 1; bit >= 0; bit -= 1) key = key * 4 + ((column >> bit) & 1) + 2 * ((row >> bit) & 1);
  return key;
}

/** Returns the bits for the seconds `first` to `last` of a minute, both inclusive. */
function bitsOf(first: number, last: number): [number, number] {
  let [low, high] = [0, 0];
  for (let second = first; second <= last; second += 1) {
    if (second < HALF_BITS) low |= 1 << second;
    else high |= 1 << (second - HALF_BITS);
  }
  return [low, high];
}

const childrenOf = ({ level, column, row }: GridCell): GridCell[] =>
  [0, 1, 2, 3].map((child) => ({
    level: level + 1,
    column: column * 2 + (child & 1),
    row: row * 2 + (child >> 1),
  }));

/** Returns the cells at a coarser level that contain any of the given ones. */
function coarser(cells: readonly GridCell[], level: number): GridCell[] {
  const found = new Map<number, GridCell>();
  for (const cell of cells) {
    const up = Math.max(0, cell.level - level);
    const above = { level: cell.level - up, column: cell.column >> up, row: cell.row >> up };
    found.set(coverageArea(above), above);
  }
  return [...found.values()];
}

function put(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest >>= 7) bytes.push((rest & 127) | 128);
  bytes.push(rest);
}

/** @throws RangeError if the bytes end too soon */
function reader(bytes: Uint8Array) {
  let at = 0;
  return {
    isAtEnd: () => at >= bytes.length,
    next(): number {
      let [value, shift] = [0, 0];
      for (;;) {
        const byte = bytes[at++];
        if (byte === undefined) throw new RangeError('Seen cells end too soon');
        value |= (byte & 127) << shift;
        if (byte < 128) return value;
        shift += 7;
      }
    },
  };
}
