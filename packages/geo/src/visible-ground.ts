import type { Projector } from './camera.ts';
import { type Corners, cameraOf, centreOf, footprintOf, type TagValues } from './footprint.ts';
import type { Point } from './point.ts';
import { dot, subtract } from './vector.ts';

/**
 * Maximum distance along the ground, in metres from the point below the sensor, up to which ground counts as seen if
 * the view contains the horizon.
 */
export const VISIBLE_RANGE_M = 20_000;

/**
 * The ground that counts as seen in a frame. If it is cut, it does not correspond to the corners of the picture: use
 * `footprintOf` for those.
 */
export type VisibleGround = {
  /**
   * Outline in the order of the picture's corners: four points, or up to eight if the ground is cut; always an even
   * number.
   */
  outline: Point[];
  /**
   * Sides at which the outline is cut, each given by the index of its first point. They are chords of the circle at
   * `VISIBLE_RANGE_M`, or of the horizon if that is nearer. Empty if the whole picture shows ground.
   */
  limits: number[];
  /** Ground point at the centre of the picture; null if it does not count as seen. */
  centre: Point | null;
};

/**
 * Returns the ground that counts as seen in one ST 0601 set: its footprint or, if the camera sees the horizon, the part
 * of the picture within `VISIBLE_RANGE_M`. Null if the set lacks the data, or if no side of the picture is within that
 * range.
 */
export function visibleGroundOf(values: TagValues): VisibleGround | null {
  const footprint = footprintOf(values);
  if (footprint) return { outline: footprint.corners, limits: [], centre: footprint.centre };
  const camera = cameraOf(values);
  return camera && cut(camera, centreOf(values));
}

/** Splits the visible ground into outlines with four corners each, as the index stores them. */
export function fourCornered(outline: readonly Point[]): Corners[] {
  const parts: Corners[] = [];
  for (let at = 1; at + 2 < outline.length; at += 2) {
    parts.push([outline[0]!, outline[at]!, outline[at + 1]!, outline[at + 2]!]);
  }
  return parts;
}

/** A point in the picture, from 0 to 1, counted from the upper left. */
type Spot = readonly [x: number, y: number];

const CORNERS: readonly Spot[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
];
/**
 * Number of bisection steps along a side of the picture: the result is exact to 1e-12 of the side, millimetres on the
 * ground.
 */
const HALVINGS = 40;

function cut(camera: Projector, stated: Point | null): VisibleGround | null {
  const isNear = ([x, y]: Spot): boolean => camera.rangeM(x, y) <= VISIBLE_RANGE_M;
  const spots: Spot[] = [];
  let limits: number[] = [];
  // Directions within range form a cone around the vertical, which is convex in the picture. Each side therefore
  // crosses it in a single stretch.
  for (const [at, from] of CORNERS.entries()) {
    const to = CORNERS[(at + 1) % 4]!;
    const [startsNear, endsNear] = [isNear(from), isNear(to)];
    if (startsNear) spots.push(from);
    if (startsNear && endsNear) continue;
    const near = startsNear ? from : endsNear ? to : steepest(camera, from, to);
    if (!isNear(near)) continue;
    if (!startsNear) spots.push(lastNear(isNear, near, from));
    if (endsNear) continue;
    const last = lastNear(isNear, near, to);
    if (at < 3) limits.push(spots.push(last) - 1);
    else {
      // This point takes the place of the upper left corner.
      spots.unshift(last);
      limits = [0, ...limits.map((limit) => limit + 1)];
    }
  }
  if (spots.length < 2 || limits.length === 0) return null;
  while (spots.length < 4 || spots.length % 2 === 1) limits = withSpotOnLimit(spots, limits, isNear);
  const outline = spots.map(([x, y]) => camera.toGround(x, y));
  const centre = stated ?? (isNear([0.5, 0.5]) ? camera.toGround(0.5, 0.5) : null);
  return outline.every((point) => point !== null) ? { outline, limits, centre } : null;
}

/**
 * Adds the outermost point within range to the longest limit, which is thereby split into two chords. Returns the
 * limits.
 */
function withSpotOnLimit(spots: Spot[], limits: readonly number[], isNear: (spot: Spot) => boolean): number[] {
  const chordOf = (at: number): Spot => {
    const [[x, y], [toX, toY]] = [spots[at]!, spots[(at + 1) % spots.length]!];
    return [toX - x, toY - y];
  };
  const lengthOf = (at: number): number => Math.hypot(...chordOf(at));
  const longest = limits.reduce((best, at) => (lengthOf(at) > lengthOf(best) ? at : best));
  const [x, y] = between(spots[longest]!, spots[(longest + 1) % spots.length]!, 0.5);
  const [alongX, alongY] = chordOf(longest);
  // Search perpendicular to the chord, to its left, far enough to be outside any picture.
  const outwards = 2 / Math.max(lengthOf(longest), Number.MIN_VALUE * 2 ** 53);
  const added = lastNear(isNear, [x, y], [x + alongY * outwards, y - alongX * outwards]);
  // If the limit passes the upper left corner, the new point comes first.
  const index = (longest + 1) % spots.length;
  spots.splice(index, 0, added);
  return [...limits.map((at) => (at >= index ? at + 1 : at)), index].sort((a, b) => a - b);
}

/** Returns the point on a side of the picture at which the view is steepest. */
function steepest(camera: Projector, from: Spot, to: Spot): Spot {
  const start = camera.rayOf(...from);
  const along = subtract(camera.rayOf(...to), start);
  // Find where the sine of the depression angle (down / length of the ray) has a zero derivative along the side.
  const [down, downAlong] = [start[2], along[2]];
  const share =
    (down * dot(start, along) - downAlong * dot(start, start)) /
    (downAlong * dot(start, along) - down * dot(along, along));
  return share > 0 && share < 1 ? between(from, to, share) : from;
}

/** Returns the last point within range on the line from a point within range to one outside it. */
function lastNear(isNear: (spot: Spot) => boolean, near: Spot, far: Spot): Spot {
  let [low, high] = [0, 1];
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = (low + high) / 2;
    if (isNear(between(near, far, middle))) low = middle;
    else high = middle;
  }
  return between(near, far, low);
}

const between = ([x, y]: Spot, [toX, toY]: Spot, share: number): Spot => [x + (toX - x) * share, y + (toY - y) * share];
