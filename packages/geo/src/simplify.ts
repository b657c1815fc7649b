import { MEAN_RADIUS_M } from './great-circle.ts';
import { type Position, RADIANS, shortestTurn } from './point.ts';

/** Width of a side in degrees above which a point of it is kept: one of half a turn would go the other way round. */
const WIDEST_DEG = 90;

/**
 * Removes points of a line that are within `toleranceM` metres of the simplified line (Douglas-Peucker). The first and
 * the last point and the order are kept, and no point is moved. Distances are measured on a plane chart at the middle
 * latitude of each piece, so a piece should not span more than a few degrees. The antimeridian is crossed the shorter
 * way; points are kept where the line is so wide that this would be another way.
 */
export function simplifyLine(points: readonly Position[], toleranceM: number): Position[] {
  if (points.length < 3) return [...points];
  const retained = new Uint8Array(points.length);
  // Use a stack instead of recursion, which could be 100,000 levels deep for a spiral of that many points.
  const open = stretchesOf(points);
  for (const span of open) for (const at of span) retained[at] = 1;
  for (let span = open.pop(); span; span = open.pop()) {
    const [first, last] = span;
    const { index, distance } = farthest(points, first, last);
    if (distance <= toleranceM) continue;
    retained[index] = 1;
    if (index - first > 1) open.push([first, index]);
    if (last - index > 1) open.push([index, last]);
  }
  return points.filter((_, index) => retained[index] === 1);
}

type Span = [first: number, last: number];

/** Returns stretches of a line, each no wider than WIDEST_DEG from west to east unless a single side is. */
function stretchesOf(points: readonly Position[]): Span[] {
  const spans: Span[] = [];
  let [first, turn, west, east] = [0, 0, 0, 0];
  for (let at = 1; at < points.length; at += 1) {
    const step = shortestTurn(points[at]![0] - points[at - 1]![0]);
    if (Math.max(east, turn + step) - Math.min(west, turn + step) > WIDEST_DEG && at - 1 > first) {
      spans.push([first, at - 1]);
      [first, turn, west, east] = [at - 1, 0, 0, 0];
    }
    turn += step;
    [west, east] = [Math.min(west, turn), Math.max(east, turn)];
  }
  return [...spans, [first, points.length - 1]];
}

/**
 * Returns the point between `first` and `last` that is farthest from the straight line between them, and its distance
 * in metres.
 */
function farthest(points: readonly Position[], first: number, last: number): { index: number; distance: number } {
  const [lonA, latA] = points[first]!;
  const [lonB, latB] = points[last]!;
  const north = MEAN_RADIUS_M * RADIANS;
  const east = north * Math.cos(((latA + latB) / 2) * RADIANS);
  const bx = shortestTurn(lonB - lonA) * east;
  const by = (latB - latA) * north;
  const whole = bx * bx + by * by;
  let index = first;
  let greatest = -1;
  for (let at = first + 1; at < last; at += 1) {
    const [lon, lat] = points[at]!;
    const x = shortestTurn(lon - lonA) * east;
    const y = (lat - latA) * north;
    const share = whole > 0 ? Math.max(0, Math.min(1, (x * bx + y * by) / whole)) : 0;
    const squared = (x - share * bx) ** 2 + (y - share * by) ** 2;
    if (squared > greatest) {
      greatest = squared;
      index = at;
    }
  }
  return { index, distance: Math.sqrt(Math.max(0, greatest)) };
}
