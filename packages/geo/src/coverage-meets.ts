import { directionOf } from './coverage-box.ts';
import type { Position } from './point.ts';
import { cross, dot, unit, type Vector } from './vector.ts';

/** A ring (not closed) with great circles as edges, prepared for comparison. A ring with one position is a point. */
export type Shape = { ring: readonly Vector[]; middle: Vector; normals: readonly Vector[]; reach: number };

/**
 * Prepares a ring for intersection tests.
 *
 * @throws RangeError if the ring does not fit within half the earth, and so has no definite inside
 */
export function shapeOf(positions: readonly Position[]): Shape {
  const ring = positions.map(directionOf);
  const sum = ring.reduce<Vector>((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]], [0, 0, 0]);
  if (Math.hypot(...sum) < 1e-9) throw new RangeError('The shape is larger than half the earth');
  const middle = unit(sum);
  const reach = ring.reduce((least, at) => Math.min(least, dot(at, middle)), 1);
  if (!(reach > 0)) throw new RangeError('The shape is larger than half the earth');
  const normals = ring.length < 2 ? [] : ring.map((at, index) => cross(at, ring[(index + 1) % ring.length]!));
  return { ring, middle, normals, reach };
}

/** Returns the shape of a footprint; null if it is larger than half the earth, in which case it intersects nothing. */
export function viewOf(corners: readonly Position[]): Shape | null {
  try {
    return shapeOf(corners);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Whether two shapes have a point in common. The border is part of a shape. */
export function meets(one: Shape, other: Shape): boolean {
  // First check whether the bounding caps touch, which rules out most pairs.
  const between = Math.acos(Math.min(1, dot(one.middle, other.middle)));
  const reaches = Math.acos(Math.min(1, one.reach)) + Math.acos(Math.min(1, other.reach));
  if (between > reaches + 1e-9) return false;
  if (holds(one, other.ring[0]!) || holds(other, one.ring[0]!)) return true;
  return one.normals.some((normal, at) =>
    other.normals.some((against, index) =>
      crosses(
        [one.ring[at]!, one.ring[(at + 1) % one.ring.length]!, normal],
        [other.ring[index]!, other.ring[(index + 1) % other.ring.length]!, against],
      ),
    ),
  );
}

/**
 * Returns a function that projects points onto the plane around the middle of a shape, in which great circles are
 * straight lines.
 */
export function planeOf(shape: Pick<Shape, 'middle'>): (at: Vector) => [number, number] {
  const [middle, east, north] = axesOf(shape.middle);
  return (at) => {
    const depth = dot(at, middle);
    return [dot(at, east) / depth, dot(at, north) / depth];
  };
}

/** Returns the tangent plane at a direction: its normal, then its axes to the east and to the north. */
export function axesOf(middle: Vector): [middle: Vector, east: Vector, north: Vector] {
  const east = unit(Math.abs(middle[2]) < 0.9 ? cross([0, 0, 1], middle) : cross([1, 0, 0], middle));
  return [middle, east, cross(middle, east)];
}

/**
 * Whether a shape contains a point, by the even-odd rule in the gnomonic plane around its middle, where great circles
 * are straight.
 */
export function holds({ ring, middle, normals }: Shape, point: Vector): boolean {
  if (normals.length === 0) return false;
  if (dot(point, middle) <= 0) return false;
  const flat = planeOf({ middle });
  const [x, y] = flat(point);
  let isInside = false;
  let [beforeX, beforeY] = flat(ring[ring.length - 1]!);
  for (const at of ring) {
    const [nextX, nextY] = flat(at);
    const side = (nextX - beforeX) * (y - beforeY) - (nextY - beforeY) * (x - beforeX);
    const isWithin =
      Math.min(beforeX, nextX) <= x &&
      x <= Math.max(beforeX, nextX) &&
      Math.min(beforeY, nextY) <= y &&
      y <= Math.max(beforeY, nextY);
    if (side === 0 && isWithin) return true;
    if (beforeY > y !== nextY > y && x < beforeX + ((y - beforeY) / (nextY - beforeY)) * (nextX - beforeX)) {
      isInside = !isInside;
    }
    [beforeX, beforeY] = [nextX, nextY];
  }
  return isInside;
}

export type Arc = [from: Vector, to: Vector, normal: Vector];

/** Whether two arcs of less than half a circle cross. */
export function crosses([a, b, ab]: Arc, [c, d, cd]: Arc): boolean {
  const [c1, d1, a1, b1] = [dot(ab, c), dot(ab, d), dot(cd, a), dot(cd, b)];
  if (c1 * d1 > 0 || a1 * b1 > 0) return false;
  const at = cross(ab, cd);
  // Both arcs lie on the same great circle; the other edges then decide whether their ends are inside.
  if (Math.hypot(...at) === 0) return false;
  const isOn = (sign: 1 | -1) => dot(at, a) * sign + dot(at, b) * sign > 0 && dot(at, c) * sign + dot(at, d) * sign > 0;
  return isOn(1) || isOn(-1);
}

/** Whether a shape lies entirely within another; its border may touch that of the other. */
export function contains(outer: Shape, inner: Shape): boolean {
  if (!inner.ring.every((point) => holds(outer, point))) return false;
  return !outer.normals.some((normal, at) =>
    inner.normals.some((against, index) =>
      crosses(
        [outer.ring[at]!, outer.ring[(at + 1) % outer.ring.length]!, normal],
        [inner.ring[index]!, inner.ring[(index + 1) % inner.ring.length]!, against],
      ),
    ),
  );
}
