import type { Line } from './symbols.ts';

/** Corners of triangles, stored one after the other, with four numbers per corner. */
export type Mesh = Float32Array;

/** Half the width of a line including its soft edge, in pixels. */
export const LINE_HALF = 1.3;
const REACH = LINE_HALF + 0.2;

type Corner = readonly [number, number, number, number];

/**
 * Returns the two triangles of a quadrilateral. Its four corners are given as start and end of one edge, then start and
 * end of the other.
 */
const quad = ([a, b, c, d]: readonly Corner[]): Corner[] => [a!, b!, c!, c!, b!, d!];
const meshOf = (corners: readonly Corner[]): Mesh => new Float32Array(corners.flat());

/** Returns the corners of a line; each has x, y and the distance from the middle of the line. */
function lineCorners([x0, y0, x1, y1]: Line): Corner[] {
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const [alongX, alongY] = [(x1 - x0) / length, (y1 - y0) / length];
  // Extends the line slightly at both ends, so that there are no gaps at the corners of a shape.
  const more = 0.5;
  const ends = [
    [x0 - alongX * more, y0 - alongY * more],
    [x1 + alongX * more, y1 + alongY * more],
  ] as const;
  return quad(
    ends.flatMap(([x, y]) =>
      [-REACH, REACH].map((across): Corner => [x - alongY * across, y + alongX * across, across, 0]),
    ),
  );
}

export const symbolMesh = (lines: readonly Line[]): Mesh => meshOf(lines.flatMap(lineCorners));

/**
 * Parts of a vector. The third number of each corner is the value of its part (0, 10 or 20) plus the share of the
 * predicted distance (0 to 1).
 */
const WAY = 0;
const HEADING = 10;
const LEG = 20;

/**
 * Returns the mesh of a ship's vector. It consists of the predicted movement, a line from the middle of the ship with
 * ticks at its half and at its end; the heading, a line ahead of the bow; and a leg at the end of the heading line,
 * which is shown when the ship turns. Each corner has x, y, the part plus the share, and the distance from the middle
 * of the line.
 */
export function vectorMesh(): Mesh {
  const edges = [-REACH, REACH];
  const way = [0, 1].flatMap((share) => edges.map((across): Corner => [across, 0, WAY + share, across]));
  const tick = (share: number) =>
    [-4, 4].flatMap((x) => edges.map((across): Corner => [x, across, WAY + share, across]));
  const heading = [-9, -17].flatMap((y) => edges.map((across): Corner => [across, y, HEADING, across]));
  const leg = [0, 5].flatMap((x) => edges.map((across): Corner => [x, -17 + across, LEG, across]));
  return meshOf([way, tick(0.5), tick(1), heading, leg].flatMap(quad));
}

/**
 * Returns the mesh of a hull, which has five sides. Each corner has the number of its side, the end of the side (0 or
 * 1) and the edge of the line (-1 or 1).
 */
export const hullMesh = (): Mesh =>
  meshOf(
    [0, 1, 2, 3, 4].flatMap((side) =>
      quad([0, 1].flatMap((end) => [-1, 1].map((edge): Corner => [side, end, edge, 0]))),
    ),
  );
