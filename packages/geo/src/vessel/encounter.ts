import { ECCENTRICITY_SQUARED, northEastDown, SEMI_MAJOR_M, toEcef } from '../ellipsoid.ts';
import { type Point, RADIANS, shortestTurn, wrapBearing, wrapLon } from '../point.ts';
import { apply, type Vector } from '../vector.ts';

/** A ship or other moving object, as reported at one moment. If its speed is 0 knots, the course is not needed. */
export type Mover = Point & {
  /** Time of the report, in UTC microseconds. */
  timeUs: number;
  /** Speed over ground in knots; null if unknown. */
  sogKnots: number | null;
  /** Course over ground in degrees from true north; null if unknown. */
  cogDeg: number | null;
};

/** Closest point of approach. */
export type ClosestApproach = {
  /** Distance between the two at that moment, in metres. */
  distanceM: number;
  /** Time until that moment, in seconds; negative if it has passed. */
  seconds: number;
};

export type Encounter = {
  /** Current distance along the ellipsoid, in metres. */
  distanceM: number;
  /** Bearing from the first to the second, in degrees from true north, in [0, 360). */
  bearingDeg: number;
  /**
   * `unknown`: the speed or the course of one of them is unknown. `none`: they do not move relative to each other, or
   * so slowly that their closest approach is further away in time than any course is kept.
   */
  closest: ClosestApproach | 'unknown' | 'none';
};

const MPS_PER_KNOT = 1852 / 3600;
/**
 * Relative speed below which two movers count as not moving relative to each other. Half an AIS speed step of 0.1 kn
 * (ITU-R M.1371-5) is only rounding.
 */
const STATIONARY_MPS = 0.05 * MPS_PER_KNOT;
/** Maximum time for which a course is assumed to be kept, in seconds. */
const HORIZON_S = 24 * 3600;
const STEPS = 12;
const SETTLED_S = 0.01;

/**
 * Returns the distance and bearing of two movers at a moment, and when and how closely they will pass if both keep
 * course and speed.
 *
 * The positions of both are extrapolated from their reports to the moment along lines of constant course (rhumb lines),
 * as ships are steered, on WGS 84. If the speed or the course of a mover is unknown, its reported position is used.
 * Intended for distances at sea: up to 1,000 km the distance is accurate to 1 m; near the poles (above 89 degrees)
 * courses are meaningless.
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

/** Velocity in metres per second. */
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
 * Finds the moment of closest approach, at which the line between the ships is perpendicular to their relative motion.
 * On a plane, one division gives this moment; on the ellipsoid, the division is repeated from the new positions until
 * the moment no longer changes.
 */
function closestOf(own: Moving, other: Moving): ClosestApproach | 'none' {
  const [east, north] = [other.mps[0] - own.mps[0], other.mps[1] - own.mps[1]];
  const squared = east * east + north * north;
  if (!(squared >= STATIONARY_MPS * STATIONARY_MPS)) return 'none';
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

/**
 * Returns the radii of curvature at a latitude, in metres: that of the meridian, and that of the circle of latitude.
 */
function radiiAt(lat: number): { meridianM: number; parallelM: number } {
  const sinLat = Math.sin(lat * RADIANS);
  const root = Math.sqrt(1 - ECCENTRICITY_SQUARED * sinLat * sinLat);
  return {
    meridianM: (SEMI_MAJOR_M * (1 - ECCENTRICITY_SQUARED)) / (root * root * root),
    parallelM: Math.max(1, (SEMI_MAJOR_M / root) * Math.cos(lat * RADIANS)),
  };
}

/**
 * Returns the place reached after a number of seconds on a constant course, using the radii at the middle latitude of
 * the way.
 */
function moved({ lon, lat }: Point, [east, north]: Velocity, seconds: number): Point {
  const inside = (latitude: number) => Math.min(90, Math.max(-90, latitude));
  const degreesN = (north * seconds) / radiiAt(lat).meridianM / RADIANS;
  const middle = radiiAt(inside(lat + degreesN / 2));
  return {
    lat: inside(lat + (north * seconds) / middle.meridianM / RADIANS),
    lon: wrapLon(lon + (east * seconds) / middle.parallelM / RADIANS),
  };
}

/** Returns the metres east and north from one place to the other along a constant course. */
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
  // Use Euler's radius of curvature along this bearing, at the middle latitude.
  const lat = (from.lat + to.lat) / 2;
  const { meridianM } = radiiAt(lat);
  const primeM = SEMI_MAJOR_M / Math.sqrt(1 - ECCENTRICITY_SQUARED * Math.sin(lat * RADIANS) ** 2);
  const radius = 1 / (Math.cos(bearing) ** 2 / meridianM + Math.sin(bearing) ** 2 / primeM);
  const half = Math.min(1, Math.hypot(...chord) / (2 * radius));
  return { distanceM: 2 * radius * Math.asin(half), bearingDeg: wrapBearing(bearing / RADIANS) };
}
