import type { Line } from './symbols.ts';

/** Corners of triangles, four numbers each, one after the other. */
export type Mesh = Float32Array;

/** Half of a line with its soft edge, in pixels. */
export const LINE_HALF = 1.3;
const REACH = LINE_HALF + 0.2;

type Corner = readonly [number, number, number, number];

/** Two triangles of four corners, given as start and end of one edge, then of the other. */
const quad = ([a, b, c, d]: readonly Corner[]): Corner[] => [a!, b!, c!, c!, b!, d!];
const meshOf = (corners: readonly Corner[]): Mesh => new Float32Array(corners.flat());

/** x, y and how far from the middle of the line. */
function lineCorners([x0, y0, x1, y1]: Line): Corner[] {
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const [alongX, alongY] = [(x1 - x0) / length, (y1 - y0) / length];
  // A little longer at both ends, so that corners of a shape are closed.
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

/** Parts of a vector; the third number of a corner is 10 times its part and the share of the way. */
const WAY = 0;
const HEADING = 10;
const LEG = 20;

/**
 * The way, from the middle of the ship to its end, with a tick at half of it and at its end; the heading, ahead of the bow,
 * and its leg when the ship turns. Corner: x, y, part and share, distance from the middle of the line.
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

/** Five sides. Corner: number of the side, which end, which edge. */
export const hullMesh = (): Mesh =>
  meshOf(
    [0, 1, 2, 3, 4].flatMap((side) =>
      quad([0, 1].flatMap((end) => [-1, 1].map((edge): Corner => [side, end, edge, 0]))),
    ),
  );
