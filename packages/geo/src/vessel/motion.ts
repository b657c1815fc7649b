import { type Point, RADIANS, shortestTurn, wrapBearing } from '../point.ts';
import { type Metres, planeAround } from './local-plane.ts';
import { applySpread, deviations, inverseOf, SIGMAS_95, type Spread, scaled, spreadAlong, sumOf } from './spread.ts';

/** A position report of a ship: position of its antenna, and motion, at one moment. */
export type VesselReport = Point & {
  /** Time in UTC microseconds. */
  timeUs: number;
  sogKnots: number | null;
  cogDeg: number | null;
  headingDeg: number | null;
  /** Rate of turn in degrees per minute, positive to starboard. */
  turnDegMin: number | null;
  /** True if the position is accurate to 10 m (ITU-R M.1371-5, position accuracy 1). */
  accurate: boolean;
  /** True if the ship is at anchor, moored or aground. */
  standing: boolean;
};

/** State of a ship at one moment, estimated from its reports. */
export type VesselState = {
  /** Position of the antenna. */
  place: Point;
  /** Error of the position; its 95 % ellipse is `ellipseOf(spread)`. */
  spread: Spread;
  /** True heading; for a ship that makes way but sends no heading, its course. Null if neither is known. */
  headingDeg: number | null;
  sogKnots: number | null;
  cogDeg: number | null;
  /** Time between the nearest report and the moment, in seconds. */
  ageS: number;
};

/**
 * Maximum age of a report, in seconds; older ones no longer indicate the position of a ship. Ships at anchor report
 * every 3 minutes (M.1371-5, table 1).
 */
export const REPORT_AGE_MAX_S = 360;

const MPS_PER_KNOT = 1852 / 3600;
/** Speed below which the reported course is noise and does not indicate the heading. */
const STEERAGE_KNOTS = 1;

/**
 * Standard deviations of reports and of the motion after them. The position accuracy is that of M.1371-5. The other
 * values are fitted to traffic in which ships turn and change speed (see the accuracy test); the resulting error never
 * exceeds the distance that a ship can cover.
 */
const GPS_M = { accurate: 4.5, coarse: 10 };
/** Uncertainty in seconds of the time at which a position was taken, since time stamps have whole seconds. */
const CLOCK_S = 0.3;
const SPEED_MPS = 0.08;
const COURSE_DEG = 1;
const SPEED_CHANGE_MPS2 = 0.0065;
const TURN_RATE_DEG_S = 0.135;
/** Time constant in seconds with which a reported turn is assumed to fade out. */
const TURN_LASTS_S = 45;
const DRIFT_MPS = 0.1;
const SWING_M = 25;
/** Assumed speed, in metres per second, of a ship that does not send any. */
const UNKNOWN_MPS = 5;
const STEP_S = 5;

/**
 * Estimates where a ship is at a moment. Its last report is extrapolated forwards; if there is a later report, it is
 * extrapolated backwards, and the two estimates are weighted by their errors.
 *
 * @param reports in order of time
 * @returns null if no report is close enough in time
 */
export function stateAt(reports: readonly VesselReport[], timeUs: number): VesselState | null {
  const after = reports.findIndex((report) => report.timeUs > timeUs);
  const last = after === -1 ? reports.at(-1) : reports[after - 1];
  const next = after === -1 ? undefined : reports[after];
  const before = last && carried(last, timeUs);
  const later = next && carried(next, timeUs);
  if (before && later) return joined(before, later);
  return before ?? later ?? null;
}

/** Extrapolates one report to another moment; null if the moment is too far away. */
export function carried(report: VesselReport, timeUs: number): VesselState | null {
  const seconds = (timeUs - report.timeUs) / 1e6;
  const ageS = Math.abs(seconds);
  if (!(ageS <= REPORT_AGE_MAX_S)) return null;
  const { sogKnots, cogDeg, headingDeg } = report;
  const gps = report.accurate ? GPS_M.accurate : GPS_M.coarse;
  const makesWay = sogKnots !== null && cogDeg !== null && sogKnots >= STEERAGE_KNOTS && !report.standing;
  const common = { sogKnots, cogDeg, ageS };
  if (!makesWay) {
    const drift = report.standing
      ? Math.min(SWING_M, DRIFT_MPS * ageS)
      : (sogKnots === null ? UNKNOWN_MPS : Math.max(DRIFT_MPS, sogKnots * MPS_PER_KNOT)) * ageS;
    const spread = spreadAlong(0, Math.hypot(gps, drift), Math.hypot(gps, drift));
    return { ...common, place: { lon: report.lon, lat: report.lat }, spread, headingDeg };
  }

  const speed = sogKnots * MPS_PER_KNOT;
  const { offset, turnedDeg } = wayOf({ speed, cogDeg, turnDegMin: report.turnDegMin ?? 0 }, seconds);
  const [along, across] = errorsOf(speed, ageS);
  const bearing = Math.hypot(...offset) > 1 ? Math.atan2(offset[0], offset[1]) / RADIANS : cogDeg;
  return {
    ...common,
    place: planeAround(report).toPlace(offset),
    spread: spreadAlong(bearing, Math.hypot(gps, along), Math.hypot(gps, across)),
    headingDeg: wrapBearing((headingDeg ?? cogDeg) + turnedDeg),
    cogDeg: wrapBearing(cogDeg + turnedDeg),
  };
}

/**
 * Returns the expected error of the extrapolated position after a number of seconds, along the ship's track and across
 * it.
 */
function errorsOf(speed: number, ageS: number): [along: number, across: number] {
  const half = (ageS * ageS) / 2;
  const along = Math.hypot(speed * CLOCK_S, SPEED_MPS * ageS, SPEED_CHANGE_MPS2 * half);
  const across = Math.hypot(
    speed * COURSE_DEG * RADIANS * ageS,
    SPEED_MPS * ageS,
    speed * TURN_RATE_DEG_S * RADIANS * half,
  );
  // Limit the error: even a ship that turned round cannot have gone further than this.
  const maximum = speed * ageS;
  return [Math.min(along, maximum + SPEED_MPS * ageS), Math.min(across, maximum + SPEED_MPS * ageS)];
}

type Way = { speed: number; cogDeg: number; turnDegMin: number };

/** Returns the offset covered after a number of seconds (before the report if negative), and the degrees turned. */
function wayOf({ speed, cogDeg, turnDegMin }: Way, seconds: number): { offset: Metres; turnedDeg: number } {
  const turned = (at: number) => {
    const ofTurn = 1 - Math.exp(-Math.abs(at) / TURN_LASTS_S);
    return (turnDegMin / 60) * TURN_LASTS_S * ofTurn * Math.sign(at);
  };
  const steps = turnDegMin === 0 ? 1 : Math.ceil(Math.abs(seconds) / STEP_S);
  const step = seconds / Math.max(1, steps);
  let [east, north] = [0, 0];
  for (let at = 0; at < steps; at += 1) {
    const course = (cogDeg + turned((at + 0.5) * step)) * RADIANS;
    east += speed * step * Math.sin(course);
    north += speed * step * Math.cos(course);
  }
  return { offset: [east, north], turnedDeg: turned(seconds) };
}

/**
 * Combines two estimates according to their errors. If they contradict each other, the error of the result is enlarged.
 */
function joined(before: VesselState, later: VesselState): VesselState {
  const plane = planeAround(before.place);
  const offset = plane.toPlane(later.place) ?? [0, 0];
  const nearest = before.ageS <= later.ageS ? before : later;
  const apart = deviations(sumOf(before.spread, later.spread), offset);
  const spread = inverseOf(sumOf(inverseOf(before.spread), inverseOf(later.spread)));
  // Weight of the later estimate: spread * later^-1.
  const moved = applySpread(spread, applySpread(inverseOf(later.spread), offset));
  const doubt = Math.max(1, apart / SIGMAS_95);
  return {
    ...nearest,
    place: plane.toPlace(moved),
    spread: scaled(spread, doubt * doubt),
    headingDeg: between(before, later, 'headingDeg') ?? nearest.headingDeg,
  };
}

/** Interpolates a bearing between two estimates, weighted by how close in time each report is. */
function between(before: VesselState, later: VesselState, key: 'headingDeg'): number | null {
  const [from, to] = [before[key], later[key]];
  if (from === null || to === null) return from ?? to;
  const share = before.ageS / Math.max(1e-6, before.ageS + later.ageS);
  return wrapBearing(from + shortestTurn(to - from) * share);
}
