import { alongRing, type GeoBox } from './coverage-box.ts';
import type { Position } from './point.ts';

/**
 * Cells of a grid over the whole earth. Level L has 2^L columns of longitude and 2^L rows of latitude, and each cell
 * consists of four cells of the next level. A cell is encoded as one safe integer: its number along the Z-order curve,
 * followed by a marker of its level, so that numbers of different levels never coincide.
 */
const FINEST = 24;
/** Maximum number of cells for one footprint or one requested shape. */
const CELLS_MAX = 16;
/** Maximum number of cells for many footprints together. */
const CELLS_TOGETHER_MAX = 48;

/** Position of a cell: level, column counted from 180° west, and row counted from 90° south. */
export type GridCell = { level: number; column: number; row: number };

/**
 * Returns the cells that intersect a ring (not closed) with great circles as edges: at most 16 cells, of the finest
 * level at which 16 suffice.
 */
export function cellsOf(ring: readonly Position[]): number[] {
  return cellsOfBox(alongRing(ring));
}

/**
 * Returns the cells that intersect any of these rings. If there are too many, they are replaced by coarser cells that
 * contain them.
 */
export function cellsOfAll(rings: Iterable<readonly Position[]>): number[] {
  const cells = new Set<number>();
  for (const ring of rings) for (const cell of cellsOf(ring)) cells.add(cell);
  return fewerCells(cells);
}

/** Returns at most 48 cells that together contain all the given ones. */
export function fewerCells(cells: Iterable<number>): number[] {
  let held = new Set(cells);
  while (held.size > CELLS_TOGETHER_MAX) {
    let finest = Infinity;
    for (const cell of held) finest = Math.min(finest, unitOf(cell));
    held = new Set([...held].map((cell) => (unitOf(cell) === finest ? ancestors(cell)[0]! : cell)));
  }
  return [...held];
}

/**
 * Returns the index entries of a chunk of footprints: its cells, and the coarser cells that contain them as negative
 * numbers.
 */
export function entriesOf(cells: Iterable<number>): number[] {
  const entries = new Set<number>();
  for (const cell of cells) {
    entries.add(cell);
    for (const above of ancestors(cell)) {
      if (entries.has(-above)) break;
      entries.add(-above);
    }
  }
  return [...entries];
}

/**
 * Returns the entries to look up for a shape with these cells. A chunk whose footprints can intersect the shape has at
 * least one of these entries.
 */
export function probesOf(cells: readonly number[]): number[] {
  return [...new Set(cells.flatMap((cell) => [cell, -cell, ...ancestors(cell)]))];
}

function cellsOfBox(box: GeoBox): number[] {
  for (let level = FINEST; level > 0; level -= 1) {
    const cells = boxCells(box, level, CELLS_MAX);
    if (cells) return cells.map(({ column, row }) => cellAt(level, column, row));
  }
  return [cellAt(0, 0, 0)];
}

/** Returns the cells of one level that intersect a box; null if there are more than `most`. */
export function boxCells({ west, south, widthDeg, north }: GeoBox, level: number, most: number): GridCell[] | null {
  const size = 2 ** level;
  const rowOf = (lat: number) => Math.min(size - 1, Math.floor(((lat + 90) / 180) * size));
  const [first, last] = [rowOf(south), rowOf(north)];
  const firstColumn = Math.floor(((west + 180) / 360) * size);
  const columns = Math.min(size, Math.floor(((west + widthDeg + 180) / 360) * size) - firstColumn + 1);
  if ((last - first + 1) * columns > most) return null;
  const cells: GridCell[] = [];
  for (let row = first; row <= last; row += 1) {
    for (let x = 0; x < columns; x += 1) cells.push({ level, column: (((firstColumn + x) % size) + size) % size, row });
  }
  return cells;
}

/**
 * Returns the corners of a cell as a ring (not closed), beginning with the south-west corner and continuing eastwards.
 */
export function ringOfCell({ level, column, row }: GridCell): Position[] {
  const [width, height] = [360 / 2 ** level, 180 / 2 ** level];
  const [west, south] = [column * width - 180, row * height - 90];
  const [east, north] = [west + width, south + height];
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
}

/** Returns the number that encodes a cell. */
export function cellAt(level: number, column: number, row: number): number {
  let number = 0;
  for (let bit = level - 1; bit >= 0; bit -= 1) {
    number = number * 4 + ((column >> bit) & 1) + 2 * ((row >> bit) & 1);
  }
  return (number * 2 + 1) * 4 ** (FINEST - level);
}

/** The cell of a number that `cellAt` gave. */
export function cellOfNumber(cell: number): GridCell {
  let level = FINEST;
  for (let unit = unitOf(cell); unit > 1; unit /= 4) level -= 1;
  let number = Math.floor(cell / (unitOf(cell) * 2));
  let [column, row] = [0, 0];
  for (let bit = 0; bit < level; bit += 1) {
    column += (number % 2) * 2 ** bit;
    row += (Math.floor(number / 2) % 2) * 2 ** bit;
    number = Math.floor(number / 4);
  }
  return { level, column, row };
}

/** Returns the coarser cells that contain this one, the nearest level first. */
function ancestors(cell: number): number[] {
  const above: number[] = [];
  for (let size = unitOf(cell) * 4; size <= 4 ** FINEST; size *= 4) {
    above.push(Math.floor(cell / (size * 2)) * size * 2 + size);
  }
  return above;
}

/**
 * Returns the level marker of a cell's number: 1 at the finest level, and four times as much for each coarser level.
 */
function unitOf(cell: number): number {
  let unit = 1;
  while (cell % (unit * 4) === 0) unit *= 4;
  return unit;
}
