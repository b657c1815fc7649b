/** Three numbers: metres in an Earth-fixed or local frame, or a dimensionless direction. */
export type Vector = [x: number, y: number, z: number];

/** A 3 x 3 matrix as three rows. */
export type Matrix = [Vector, Vector, Vector];

export const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by];
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Vector): number => Math.hypot(a[0], a[1], a[2]);

export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Returns the unit vector in the direction of `a`; the zero vector is returned unchanged. */
export function unit(a: Vector): Vector {
  const size = length(a);
  return size === 0 ? a : scale(a, 1 / size);
}

export const apply = (m: Matrix, v: Vector): Vector => [dot(m[0], v), dot(m[1], v), dot(m[2], v)];

/** Exchanges rows and columns; for a rotation, this is the inverse. */
export const transpose = (m: Matrix): Matrix => [
  [m[0][0], m[1][0], m[2][0]],
  [m[0][1], m[1][1], m[2][1]],
  [m[0][2], m[1][2], m[2][2]],
];

/** Returns the product of two matrices, which applies `b` first and then `a`. */
export function multiply(a: Matrix, b: Matrix): Matrix {
  const columns = transpose(b);
  return [apply(columns, a[0]), apply(columns, a[1]), apply(columns, a[2])];
}
