import type { Projector } from './camera.ts';
import { type Corners, cameraOf, centreOf, footprintOf, type TagValues } from './footprint.ts';
import type { Point } from './point.ts';
import { dot, subtract } from './vector.ts';

/** Where a view sees the horizon, ground farther from below the sensor is not counted. Metres along the ground. */
export const VISIBLE_RANGE_M = 20_000;

/** The ground that counts as seen by a frame. It is no picture of the ground where it is cut: see `footprintOf` for that. */
export type VisibleGround = {
  /** In the order of the picture's corners: four points, or up to eight where it is cut; always an even number. */
  outline: Point[];
  /**
   * Sides of the outline at which it is cut, each by the place of its first point: chords of the circle at `VISIBLE_RANGE_M`, or of
   * the horizon where that is nearer. Empty where the whole picture shows ground.
   */
  limits: number[];
  /** The ground under the middle of the picture; null where that is not counted. */
  centre: Point | null;
};

/**
 * The ground that one ST 0601 set shows, as it is counted: its footprint, or where the camera sees the horizon the part of the
 * picture within `VISIBLE_RANGE_M`. Null where the set does not say, and where no side of the picture comes that near.
 */
export function visibleGroundOf(values: TagValues): VisibleGround | null {
  const footprint = footprintOf(values);
  if (footprint) return { outline: footprint.corners, limits: [], centre: footprint.centre };
  const camera = cameraOf(values);
  return camera && cut(camera, centreOf(values));
}

/** The visible ground as outlines of four corners each, as the index stores them. */
export function fourCornered(outline: readonly Point[]): Corners[] {
  const parts: Corners[] = [];
  for (let at = 1; at + 2 < outline.length; at += 2) {
    parts.push([outline[0]!, outline[at]!, outline[at + 1]!, outline[at + 2]!]);
  }
  return parts;
}

/** A place in the picture, 0..1 from its upper left. */
type Spot = readonly [x: number, y: number];

const CORNERS: readonly Spot[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
];
/** Halvings of a side of the picture: 1e-12 of it, millimetres on the ground. */
const HALVINGS = 40;

function cut(camera: Projector, stated: Point | null): VisibleGround | null {
  const isNear = ([x, y]: Spot): boolean => camera.rangeM(x, y) <= VISIBLE_RANGE_M;
  const spots: Spot[] = [];
  let limits: number[] = [];
  // Near directions are a cone around the vertical: convex in the picture, so that each side is in it for one stretch.
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
      // In place of the upper left corner.
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

/** Adds the spot farthest out on the longest limit, which then has two chords. Returns the limits. */
function withSpotOnLimit(spots: Spot[], limits: readonly number[], isNear: (spot: Spot) => boolean): number[] {
  const chordOf = (at: number): Spot => {
    const [[x, y], [toX, toY]] = [spots[at]!, spots[(at + 1) % spots.length]!];
    return [toX - x, toY - y];
  };
  const lengthOf = (at: number): number => Math.hypot(...chordOf(at));
  const longest = limits.reduce((best, at) => (lengthOf(at) > lengthOf(best) ? at : best));
  const [x, y] = between(spots[longest]!, spots[(longest + 1) % spots.length]!, 0.5);
  const [alongX, alongY] = chordOf(longest);
  // At right angles to the left of the chord, beyond any spot of the picture.
  const outwards = 2 / Math.max(lengthOf(longest), Number.MIN_VALUE * 2 ** 53);
  const added = lastNear(isNear, [x, y], [x + alongY * outwards, y - alongX * outwards]);
  // On the limit that passes the upper left corner it comes first.
  const index = (longest + 1) % spots.length;
  spots.splice(index, 0, added);
  return [...limits.map((at) => (at >= index ? at + 1 : at)), index].sort((a, b) => a - b);
}

/** The spot on a side of the picture that looks down most steeply. */
function steepest(camera: Projector, from: Spot, to: Spot): Spot {
  const start = camera.rayOf(...from);
  const along = subtract(camera.rayOf(...to), start);
  // Where the sine of the depression, down / length of the ray, has no slope along the side.
  const [down, downAlong] = [start[2], along[2]];
  const share =
    (down * dot(start, along) - downAlong * dot(start, start)) /
    (downAlong * dot(start, along) - down * dot(along, along));
  return share > 0 && share < 1 ? between(from, to, share) : from;
}

/** The last spot that is near on the way from one that is to one that is not. */
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
