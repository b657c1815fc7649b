import { ECCENTRICITY_SQUARED, northEastDown, SEMI_MAJOR_M, toEcef } from '../ellipsoid.ts';
import { type Point, RADIANS, shortestTurn, wrapBearing, wrapLon } from '../point.ts';
import { apply, type Vector } from '../vector.ts';

/** A reported ship or other mover at one moment. At 0 knots it needs no course. */
export type Mover = Point & {
  /** UTC microseconds of the report. */
  timeUs: number;
  /** Speed over ground in knots; null: not known. */
  sogKnots: number | null;
  /** Course over ground, degrees from true north; null: not known. */
  cogDeg: number | null;
};

/** Closest point of approach. */
export type ClosestApproach = {
  /** Metres between both at that moment. */
  distanceM: number;
  /** Seconds until then; negative: it has passed. */
  seconds: number;
};

export type Encounter = {
  /** Metres along the ellipsoid. */
  distanceM: number;
  /** From the first to the second, degrees from true north in [0, 360). */
  bearingDeg: number;
  /**
   * `unknown`: speed or course of one of them is not known. `none`: they do not move relative to each other, or so little
   * that their nearest moment is further away than anyone holds a course.
   */
  closest: ClosestApproach | 'unknown' | 'none';
};

const MPS_PER_KNOT = 1852 / 3600;
/** Speed below which a mover counts as still: half an AIS step of 0.1 kn (ITU-R M.1371-5) is rounding. */
const STILL_MPS = 0.05 * MPS_PER_KNOT;
/** Longest time for which a course is assumed to be kept. */
const HORIZON_S = 24 * 3600;
const STEPS = 12;
const SETTLED_S = 0.01;

/**
 * Where two movers are to each other at a moment, and when and how near they pass if both hold course and speed.
 *
 * Both are carried from their reports to the moment on lines of constant course (rhumb lines), as ships are steered, on
 * WGS 84. One whose speed or course is not known stays where it was reported. Meant for distances at sea: up to 1,000 km
 * the distance is right to 1 m; near the poles (above 89 degrees) courses mean nothing.
 */
export function encounterOf(own: Mover, other: Mover, atUs: number): Encounter {
  const [ownMps, otherMps] = [velocityOf(own), velocityOf(other)];
  const from = moved(own, ownMps ?? STANDING, (atUs - own.timeUs) / 1e6);
  const to = moved(other, otherMps ?? STANDING, (atUs - other.timeUs) / 1e6);
  return {
    ...lineBetween(from, to),
    closest: ownMps && otherMps ? closestOf({ place: from, mps: ownMps }, { place: to, mps: otherMps }) : 'unknown',
  };
}

/** Metres a second. */
type Velocity = readonly [east: number, north: number];
const STANDING: Velocity = [0, 0];

function velocityOf({ sogKnots, cogDeg }: Mover): Velocity | null {
  if (sogKnots === 0) return STANDING;
  if (sogKnots === null || cogDeg === null) return null;
  const mps = sogKnots * MPS_PER_KNOT;
  return [mps * Math.sin(cogDeg * RADIANS), mps * Math.cos(cogDeg * RADIANS)];
}

type Moving = { place: Point; mps: Velocity };

/**
 * Finds the moment of closest approach, when the line between both ships is perpendicular to their relative motion. On
 * a plane one division gives it; on the ellipsoid this is repeated from the new positions until the moment no longer
 * changes.
 */
function closestOf(own: Moving, other: Moving): ClosestApproach | 'none' {
  const [east, north] = [other.mps[0] - own.mps[0], other.mps[1] - own.mps[1]];
  const squared = east * east + north * north;
  if (!(squared >= STILL_MPS * STILL_MPS)) return 'none';
  let seconds = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const [x, y] = metresBetween(moved(own.place, own.mps, seconds), moved(other.place, other.mps, seconds));
    const more = -(x * east + y * north) / squared;
    seconds += more;
    if (!(Math.abs(seconds) <= HORIZON_S)) return 'none';
    if (Math.abs(more) < SETTLED_S) break;
  }
  const { distanceM } = lineBetween(moved(own.place, own.mps, seconds), moved(other.place, other.mps, seconds));
  return { distanceM, seconds };
}

/** Radii of curvature in metres at a latitude: of the meridian, and of the circle of latitude. */
function radiiAt(lat: number): { meridianM: number; parallelM: number } {
  const sinLat = Math.sin(lat * RADIANS);
  const root = Math.sqrt(1 - ECCENTRICITY_SQUARED * sinLat * sinLat);
  return {
    meridianM: (SEMI_MAJOR_M * (1 - ECCENTRICITY_SQUARED)) / (root * root * root),
    parallelM: Math.max(1, (SEMI_MAJOR_M / root) * Math.cos(lat * RADIANS)),
  };
}

/** The place after this many seconds on a constant course, by the radii in the middle latitude of the way. */
function moved({ lon, lat }: Point, [east, north]: Velocity, seconds: number): Point {
  const inside = (latitude: number) => Math.min(90, Math.max(-90, latitude));
  const degreesN = (north * seconds) / radiiAt(lat).meridianM / RADIANS;
  const middle = radiiAt(inside(lat + degreesN / 2));
  return {
    lat: inside(lat + (north * seconds) / middle.meridianM / RADIANS),
    lon: wrapLon(lon + (east * seconds) / middle.parallelM / RADIANS),
  };
}

/** Metres east and north on a constant course from one place to the other. */
function metresBetween(from: Point, to: Point): Velocity {
  const { meridianM, parallelM } = radiiAt((from.lat + to.lat) / 2);
  return [shortestTurn(wrapLon(to.lon - from.lon)) * RADIANS * parallelM, (to.lat - from.lat) * RADIANS * meridianM];
}

/** Computes distance and initial bearing along the ellipsoid, from the length of the chord. */
function lineBetween(from: Point, to: Point): Pick<Encounter, 'distanceM' | 'bearingDeg'> {
  const [a, b] = [toEcef({ ...from, heightM: 0 }), toEcef({ ...to, heightM: 0 })];
  const chord: Vector = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [north, east] = apply(northEastDown(from), chord);
  const bearing = Math.atan2(east, north);
  // Euler's radius of curvature along this bearing, in the middle latitude.
  const lat = (from.lat + to.lat) / 2;
  const { meridianM } = radiiAt(lat);
  const primeM = SEMI_MAJOR_M / Math.sqrt(1 - ECCENTRICITY_SQUARED * Math.sin(lat * RADIANS) ** 2);
  const radius = 1 / (Math.cos(bearing) ** 2 / meridianM + Math.sin(bearing) ** 2 / primeM);
  const half = Math.min(1, Math.hypot(...chord) / (2 * radius));
  return { distanceM: 2 * radius * Math.asin(half), bearingDeg: wrapBearing(bearing / RADIANS) };
}
