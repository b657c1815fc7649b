import type { Metres } from './local-plane.ts';

/** Corners of a convex figure in order, in either direction. */
export type Convex = readonly Metres[];

/** Whether a point is inside a convex figure or on its border. */
export function isWithin([x, y]: Metres, figure: Convex): boolean {
  let side = 0;
  for (let at = 0; at < figure.length; at += 1) {
    const [from, to] = [figure[at]!, figure[(at + 1) % figure.length]!];
    const turn = (to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]);
    if (turn === 0) continue;
    if (side !== 0 && Math.sign(turn) !== side) return false;
    side = Math.sign(turn);
  }
  return true;
}

/**
 * Returns the shortest distance between two convex figures; 0 if they touch or overlap. A figure with one corner is a
 * point.
 */
export function distanceBetween(one: Convex, other: Convex): number {
  if (overlaps(one, other)) return 0;
  let minimum = Number.POSITIVE_INFINITY;
  for (const [figure, against] of [
    [one, other],
    [other, one],
  ] as const) {
    for (const corner of figure) minimum = Math.min(minimum, distanceToBorder(corner, against));
  }
  return minimum;
}

/** Returns the shortest distance from a point to the border of a figure. */
export function distanceToBorder(point: Metres, figure: Convex): number {
  let minimum = Number.POSITIVE_INFINITY;
  for (let at = 0; at < figure.length; at += 1) {
    minimum = Math.min(minimum, distanceToSide(point, figure[at]!, figure[(at + 1) % figure.length]!));
  }
  return minimum;
}

/**
 * Whether two figures overlap, by the separating axis theorem: if they do not, a line along a side of one of them
 * separates them.
 */
function overlaps(one: Convex, other: Convex): boolean {
  for (const figure of [one, other]) {
    for (let at = 0; at < figure.length; at += 1) {
      const [from, to] = [figure[at]!, figure[(at + 1) % figure.length]!];
      const [x, y] = [from[1] - to[1], to[0] - from[0]];
      if (x === 0 && y === 0) continue;
      const [a, b] = [shadow(one, x, y), shadow(other, x, y)];
      if (a.maximum < b.minimum || b.maximum < a.minimum) return false;
    }
  }
  // For two single points there are no sides to test; they overlap only if they are equal.
  return one.length > 1 || other.length > 1 || (one[0]![0] === other[0]![0] && one[0]![1] === other[0]![1]);
}

function shadow(figure: Convex, x: number, y: number): { minimum: number; maximum: number } {
  let [minimum, maximum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const corner of figure) {
    const at = corner[0] * x + corner[1] * y;
    minimum = Math.min(minimum, at);
    maximum = Math.max(maximum, at);
  }
  return { minimum, maximum };
}

function distanceToSide([x, y]: Metres, from: Metres, to: Metres): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - from[0]) * dx + (y - from[1]) * dy) / length));
  return Math.hypot(x - from[0] - along * dx, y - from[1] - along * dy);
}
