import { add, apply, cross, dot, type Matrix, scale, subtract, transpose, type Vector } from './vector.ts';

/** A plane perspective between the unit square and a convex quadrangle. */
export type Quadrangle = {
  /**
   * Maps a point of the square onto the quadrangle's plane as [u, v, 1]; beyond the vanishing line it returns a
   * direction [u, v, 0].
   */
  fromSquare(x: number, y: number): Vector;
  /** Maps a point of the plane onto the square, possibly outside 0..1; null beyond the vanishing line. */
  toSquare(u: number, v: number): [x: number, y: number] | null;
  /**
   * Row-major matrix from `[x, y, 1]` to homogeneous plane coordinates, whose third is positive on the camera's side;
   * for callers that write their own loops.
   */
  matrix: Matrix;
};

/** Threshold, relative to the quadrangle's size, below which three corners count as lying on one line. */
const FLAT = 1e-9;

/**
 * Returns the perspective that maps (0,0), (1,0), (1,1), (0,1) to the four corners, in any unit of the plane (Heckbert
 * 1989, section 2.2.3, solved by Cramer's rule). Only the first two coordinates of a corner are used.
 *
 * @returns null if the corners do not form a convex quadrangle with an area.
 */
export function quadrangle(corners: readonly [Corner, Corner, Corner, Corner]): Quadrangle | null {
  const [originU, originV] = corners[0];
  const size = Math.max(...corners.map(([u, v]) => Math.hypot(u - originU, v - originV)));
  if (!(size > 0)) return null;
  // Use local coordinates, so that a footprint of a few metres has the same precision as one of several degrees.
  const local = ([u, v]: Corner): Vector => [(u - originU) / size, (v - originV) / size, 1];
  const [a, b, c, d] = [local(corners[0]), local(corners[1]), local(corners[2]), local(corners[3])];

  // Solve c = weightB b + weightD d - weightA a, since (1,1) = (1,0) + (0,1) - (0,0) in the square.
  const whole = dot(b, cross(d, a));
  const weightB = dot(c, cross(d, a)) / whole;
  const weightD = dot(b, cross(c, a)) / whole;
  const weightA = -dot(b, cross(d, c)) / whole;
  // A weight is the depth of its corner. All four corners must be on the camera's side; otherwise this is not a picture
  // of a plane.
  if (!(Math.abs(whole) > FLAT && weightA > FLAT && weightB > FLAT && weightD > FLAT)) return null;
  const origin = scale(a, weightA);
  const columns: Matrix = [subtract(scale(b, weightB), origin), subtract(scale(d, weightD), origin), origin];
  const backward = inverse(columns);
  if (!backward) return null;

  const [rowU, rowV, rowW] = transpose(columns);
  return {
    matrix: [add(scale(rowU, size), scale(rowW, originU)), add(scale(rowV, size), scale(rowW, originV)), rowW],
    fromSquare(x, y) {
      const [u, v, w] = apply([rowU, rowV, rowW], [x, y, 1]);
      return w > 0 ? [(u / w) * size + originU, (v / w) * size + originV, 1] : [u, v, 0];
    },
    toSquare(u, v) {
      const [x, y, w] = apply(backward, [(u - originU) / size, (v - originV) / size, 1]);
      return w > 0 ? [x / w, y / w] : null;
    },
  };
}

type Corner = readonly [u: number, v: number, ...rest: number[]];

/** Returns the inverse of the matrix with these columns. */
function inverse([a, b, c]: Matrix): Matrix | null {
  const whole = dot(a, cross(b, c));
  if (!(Math.abs(whole) > FLAT * FLAT)) return null;
  return [scale(cross(b, c), 1 / whole), scale(cross(c, a), 1 / whole), scale(cross(a, b), 1 / whole)];
}
