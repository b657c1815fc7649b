import { type Point, RADIANS, shortestTurn, wrapBearing } from '../point.ts';
import { type Metres, planeAround } from './local-plane.ts';
import { applySpread, deviations, inverseOf, SIGMAS_95, type Spread, scaled, spreadAlong, sumOf } from './spread.ts';

/** A position report of a ship: place of its antenna and motion at one moment. */
export type VesselReport = Point & {
  /** UTC microseconds. */
  timeUs: number;
  sogKnots: number | null;
  cogDeg: number | null;
  headingDeg: number | null;
  /** Degrees a minute, starboard positive. */
  turnDegMin: number | null;
  /** The position is good to 10 m (ITU-R M.1371-5, position accuracy 1). */
  accurate: boolean;
  /** At anchor, moored or aground. */
  standing: boolean;
};

/** State of a ship at a moment, estimated from its reports. */
export type VesselState = {
  /** Place of the antenna. */
  place: Point;
  /** Error of the place; its 95 % ellipse is `ellipseOf(spread)`. */
  spread: Spread;
  /** True heading, or the course if it makes way and sends none; null if neither is known. */
  headingDeg: number | null;
  sogKnots: number | null;
  cogDeg: number | null;
  /** Seconds from the nearest report to the moment. */
  ageS: number;
};

/**
 * Age above which a report no longer tells the position of a ship: ships at anchor report every 3 minutes (M.1371-5,
 * table 1).
 */
export const REPORT_AGE_MAX_S = 360;

const MPS_PER_KNOT = 1852 / 3600;
/** Below this speed the course is noise and does not give the heading. */
const STEERAGE_KNOTS = 1;

/**
 * Standard deviations of reports and of the motion after them. Position accuracy is that of M.1371-5; the rest is
 * fitted to traffic in which ships turn and change speed (see the accuracy test), and grows no further than a ship can
 * go.
 */
const GPS_M = { accurate: 4.5, coarse: 10 };
/** A position may have been taken this much before or after its time stamp, which has whole seconds. */
const CLOCK_S = 0.3;
const SPEED_MPS = 0.08;
const COURSE_DEG = 1;
const SPEED_CHANGE_MPS2 = 0.0065;
const TURN_RATE_DEG_S = 0.135;
/** Seconds after which a reported turn is assumed to end. */
const TURN_LASTS_S = 45;
const DRIFT_MPS = 0.1;
const SWING_M = 25;
/** Speed of a ship that does not send any. */
const UNKNOWN_MPS = 5;
const STEP_S = 5;

/**
 * Where a ship is at a moment: its last report carried forward, and where one came later also that one carried back, each
 * weighted by its error.
 *
 * @param reports in the order of their times
 * @returns null where no report is near enough
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

/** Extrapolates one report to another moment; null where that is too far away. */
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

/** Distance of a ship from its extrapolated place after this many seconds, along its way and across it. */
function errorsOf(speed: number, ageS: number): [along: number, across: number] {
  const half = (ageS * ageS) / 2;
  const along = Math.hypot(speed * CLOCK_S, SPEED_MPS * ageS, SPEED_CHANGE_MPS2 * half);
  const across = Math.hypot(
    speed * COURSE_DEG * RADIANS * ageS,
    SPEED_MPS * ageS,
    speed * TURN_RATE_DEG_S * RADIANS * half,
  );
  // Upper bound: a ship that turned round went no further than this.
  const most = speed * ageS;
  return [Math.min(along, most + SPEED_MPS * ageS), Math.min(across, most + SPEED_MPS * ageS)];
}

type Way = { speed: number; cogDeg: number; turnDegMin: number };

/** Distance covered after this many seconds, also before the report if they are negative, and degrees turned. */
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

/** Combines two estimates by their errors; where they disagree, the error of the result is larger. */
function joined(before: VesselState, later: VesselState): VesselState {
  const plane = planeAround(before.place);
  const offset = plane.toPlane(later.place) ?? [0, 0];
  const nearest = before.ageS <= later.ageS ? before : later;
  const apart = deviations(sumOf(before.spread, later.spread), offset);
  const spread = inverseOf(sumOf(inverseOf(before.spread), inverseOf(later.spread)));
  // Shares of the later one: spread * later^-1.
  const moved = applySpread(spread, applySpread(inverseOf(later.spread), offset));
  const doubt = Math.max(1, apart / SIGMAS_95);
  return {
    ...nearest,
    place: plane.toPlace(moved),
    spread: scaled(spread, doubt * doubt),
    headingDeg: between(before, later, 'headingDeg') ?? nearest.headingDeg,
  };
}

/** Interpolates a bearing between two estimates, weighted by how near each report is. */
function between(before: VesselState, later: VesselState, key: 'headingDeg'): number | null {
  const [from, to] = [before[key], later[key]];
  if (from === null || to === null) return from ?? to;
  const share = before.ageS / Math.max(1e-6, before.ageS + later.ageS);
  return wrapBearing(from + shortestTurn(to - from) * share);
}
