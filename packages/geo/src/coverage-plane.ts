import { type GridCell, ringOfCell } from './coverage-cells.ts';
import { axesOf, contains, meets, planeOf, type Shape, shapeOf } from './coverage-meets.ts';
import type { Vector } from './vector.ts';

/** Position of a cell relative to a footprint: it lies apart from it, intersects it, or lies within it. */
export type CellPlace = 'apart' | 'met' | 'within';

/** A side of an anticlockwise polygon: points with a x + b y > c are outside. */
type Side = [a: number, b: number, c: number];

/**
 * Returns a test that compares many cells with one footprint in a plane in which great circles are straight lines: two
 * convex quadrangles are apart if a side of one separates them. If the footprint is not convex, each cell is compared
 * on the sphere instead.
 */
export function cellTest(view: Shape): (cell: GridCell) => CellPlace {
  const corners = view.ring.map(planeOf(view));
  const sides = sidesOf(corners);
  if (sides === null) return (cell) => onSphere(view, shapeOf(ringOfCell(cell)));
  const [middle, east, north] = axesOf(view.middle);
  // Corners of the cell in the plane, as alternating x and y. The array is reused for all cells.
  const own = new Float64Array(8);

  function lay(at: number, cosLat: number, [x, y, z]: Vector): void {
    const [u, v] = [cosLat * x, cosLat * y];
    const depth = u * middle[0] + v * middle[1] + z * middle[2];
    own[at] = (u * east[0] + v * east[1] + z * east[2]) / depth;
    own[at + 1] = (u * north[0] + v * north[1] + z * north[2]) / depth;
  }

  function layCell({ level, column, row }: GridCell): void {
    const [wide, high] = [(2 * Math.PI) / 2 ** level, Math.PI / 2 ** level];
    const [west, south] = [column * wide - Math.PI, row * high - Math.PI / 2];
    const [cosWest, sinWest] = [Math.cos(west), Math.sin(west)];
    const [cosEast, sinEast] = [Math.cos(west + wide), Math.sin(west + wide)];
    const [cosSouth, sinSouth] = [Math.cos(south), Math.sin(south)];
    const [cosNorth, sinNorth] = [Math.cos(south + high), Math.sin(south + high)];
    lay(0, cosSouth, [cosWest, sinWest, sinSouth]);
    lay(2, cosSouth, [cosEast, sinEast, sinSouth]);
    lay(4, cosNorth, [cosEast, sinEast, sinNorth]);
    lay(6, cosNorth, [cosWest, sinWest, sinNorth]);
  }

  return (cell) => {
    layCell(cell);
    let isWithin = true;
    for (const [a, b, c] of sides) {
      let out = 0;
      for (let at = 0; at < 8; at += 2) if (a * own[at]! + b * own[at + 1]! > c) out += 1;
      if (out === 4) return 'apart';
      if (out > 0) isWithin = false;
    }
    if (isWithin) return 'within';
    // The corners of a cell run anticlockwise.
    for (let at = 0; at < 8; at += 2) {
      const to = (at + 2) & 7;
      const [a, b] = [own[to + 1]! - own[at + 1]!, own[at]! - own[to]!];
      const c = a * own[at]! + b * own[at + 1]!;
      if (corners.every(([x, y]) => a * x + b * y > c)) return 'apart';
    }
    return 'met';
  };
}

function onSphere(view: Shape, cell: Shape): CellPlace {
  if (!meets(view, cell)) return 'apart';
  return contains(view, cell) ? 'within' : 'met';
}

/** Returns the sides of a polygon; null if it is not convex, crosses itself or has no area. */
function sidesOf(corners: readonly (readonly [number, number])[]): Side[] | null {
  let turn = 0;
  const sides: Side[] = [];
  for (const [at, from] of corners.entries()) {
    const to = corners[(at + 1) % corners.length]!;
    const next = corners[(at + 2) % corners.length]!;
    const bend = (to[0] - from[0]) * (next[1] - to[1]) - (to[1] - from[1]) * (next[0] - to[0]);
    if (bend === 0 || bend * turn < 0) return null;
    turn = Math.sign(bend);
    const [a, b] = [to[1] - from[1], from[0] - to[0]];
    sides.push([a, b, a * from[0] + b * from[1]]);
  }
  return turn > 0 ? sides : sides.map(([a, b, c]) => [-a, -b, -c]);
}
