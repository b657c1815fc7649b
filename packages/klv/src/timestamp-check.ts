import { type ClockStep, createClockGaps } from './clock-gaps.ts';
import { END_OF_TIME_US } from './tag-info.ts';

const TICKS_PER_US = 90_000 / 1_000_000;
const SECOND_US = 1_000_000;
const MINUTE_US = 60 * SECOND_US;
const DAY_US = 24 * 60 * MINUTE_US;

/** 1990-01-01. No recording is older, so an earlier time comes from a clock that was never set. */
export const EARLIEST_US = 631_152_000 * SECOND_US;
/**
 * Factor for times that encoders write in milliseconds by mistake. A time is taken as milliseconds if this puts it
 * between 1990 and tomorrow.
 */
const US_PER_MS = 1000;
/** Maximum drift between the KLV clock and PTS within a minute, in microseconds. */
const MAX_DRIFT_US = SECOND_US;
/**
 * Maximum share of times out of range in a trustworthy clock: a clock that is set shortly after the start of the
 * recording, or wrong once, is still usable.
 */
const MAX_OUT_OF_RANGE_SHARE = 0.01;
/** Maximum number of faults listed, and of gaps listed; all of them are counted. */
const MAX_PLACES = 100;

export type TimestampFaultKind =
  | 'missing'
  | 'outOfRange'
  | 'milliseconds'
  | 'duplicate'
  | 'backwards'
  | 'gap'
  | 'drift';

/** One fault of the clock. */
export type TimestampFault = {
  kind: TimestampFaultKind;
  /** Number of the record, counted from 0 in the order of `add`. */
  index: number;
  timeUs: number | null;
  /**
   * For duplicate, backwards and gap: the step from the previous record; for drift: the difference from PTS. Otherwise
   * null.
   */
  stepUs: number | null;
};

/**
 * Result of `createTimestampCheck`. All faults are counted; the list contains the first 100 faults, followed by the
 * first 100 gaps.
 */
export type TimestampReport = {
  records: number;
  /** Number of records without a time. */
  missing: number;
  /**
   * Number of times before 1990 or after tomorrow, including all-ones values. They are not counted again in the fields
   * below.
   */
  outOfRange: number;
  /** Number of times written in milliseconds by mistake. */
  milliseconds: number;
  /** Number of records with the same time as the previous one. */
  duplicates: number;
  /** Number of records with an earlier time than the previous one. */
  backwards: number;
  /**
   * Number of steps that are gaps: at least five seconds, at least three times the usual step, and with PTS advancing
   * by at least half the step.
   */
  gaps: number;
  longestGapUs: number;
  /** Number of times that KLV clock and PTS drifted apart by more than a second within a minute. */
  drifts: number;
  /** First and last usable time as sent: times in milliseconds are not converted, see `unit`. */
  firstTimeUs: number | null;
  lastTimeUs: number | null;
  /**
   * Unit of the times. 'milliseconds' if most usable times are in milliseconds by mistake: the caller must multiply
   * them by 1000, and report it.
   */
  unit: 'microseconds' | 'milliseconds';
  /**
   * Whether the clock can be used as wall time: at least 99 of 100 records are between 1990 and tomorrow, and those
   * never go backwards and stay within a second of PTS over a minute. Duplicates are acceptable, as are gaps that PTS
   * also has.
   */
  trustworthy: boolean;
  places: TimestampFault[];
};

/**
 * Checks the time stamps of one stream. It counts and lists faults, and changes nothing. Records must be added in
 * order, each with tag 2 in microseconds and with PTS in unwrapped 90 kHz ticks, or null if there is none. Call
 * `restart` when PTS jumps (a new run), so that drift is not measured across the jump.
 *
 * @param options.nowUs current time in microseconds since 1970: times after tomorrow are wrong. It is called again when
 * a time seems too late, since a recording may run for days.
 */
export function createTimestampCheck({ nowUs }: { nowUs: () => number }) {
  let latestUs = tomorrow(nowUs);
  const report = emptyReport();
  const gaps = createClockGaps();
  let before: number | null = null;
  let beforePtsUs: number | null = null;
  let anchor: { timeUs: number; ptsUs: number } | null = null;

  const list = (kind: TimestampFaultKind, timeUs: number | null, stepUs: number | null = null) => {
    if (report.places.length < MAX_PLACES) report.places.push({ kind, index: report.records - 1, timeUs, stepUs });
  };

  /** Returns the time in true microseconds, or null if it is not usable. */
  const usable = (timeUs: number | null): number | null => {
    if (timeUs === null) {
      report.missing++;
      list('missing', null);
      return null;
    }
    if (timeUs > latestUs) latestUs = tomorrow(nowUs);
    if (timeUs >= EARLIEST_US && timeUs <= latestUs) return timeUs;
    const asMilliseconds = timeUs * US_PER_MS;
    if (asMilliseconds >= EARLIEST_US && asMilliseconds <= latestUs) {
      report.milliseconds++;
      list('milliseconds', timeUs);
      return asMilliseconds;
    }
    report.outOfRange++;
    list('outOfRange', timeUs);
    return null;
  };

  /** Whether PTS also advances by at least half the step. If not, the clock was changed and no telemetry is missing. */
  const isSeenByPts = (stepUs: number, ptsUs: number | null): boolean =>
    ptsUs === null || beforePtsUs === null || 2 * (ptsUs - beforePtsUs) >= stepUs;

  const compareWithBefore = (trueUs: number, timeUs: number, ptsUs: number | null) => {
    if (before === null) return;
    const stepUs = trueUs - before;
    if (stepUs === 0) {
      report.duplicates++;
      list('duplicate', timeUs, stepUs);
    }
    if (stepUs < 0) {
      report.backwards++;
      list('backwards', timeUs, stepUs);
    }
    if (stepUs >= 0 && isSeenByPts(stepUs, ptsUs)) gaps.add({ index: report.records - 1, timeUs, stepUs });
  };

  const compareWithPts = (trueUs: number, timeUs: number, ptsUs: number) => {
    anchor ??= { timeUs: trueUs, ptsUs };
    const driftUs = trueUs - anchor.timeUs - (ptsUs - anchor.ptsUs);
    const drifted = Math.abs(driftUs) > MAX_DRIFT_US;
    if (drifted) {
      report.drifts++;
      list('drift', timeUs, driftUs);
    }
    if (drifted || ptsUs - anchor.ptsUs >= MINUTE_US) anchor = { timeUs: trueUs, ptsUs };
  };

  return {
    /** Adds a record. Returns its time in true microseconds, or null if it is not usable. */
    add(timeUs: number | null, ptsTicks: number | null): number | null {
      report.records++;
      const trueUs = usable(timeUs);
      if (trueUs === null || timeUs === null) return null;
      report.firstTimeUs ??= timeUs;
      report.lastTimeUs = timeUs;
      const ptsUs = ptsTicks === null ? null : ptsTicks / TICKS_PER_US;
      compareWithBefore(trueUs, timeUs, ptsUs);
      if (ptsUs !== null) compareWithPts(trueUs, timeUs, ptsUs);
      before = trueUs;
      beforePtsUs = ptsUs;
      return trueUs;
    },

    /** Must be called when PTS restarts: drift is then measured from the next record on. */
    restart(): void {
      anchor = null;
      beforePtsUs = null;
    },

    report(): TimestampReport {
      const timed = report.records - report.missing - report.outOfRange;
      const found = gaps.gaps();
      return {
        ...report,
        gaps: found.length,
        longestGapUs: found.reduce((longest, { stepUs }) => Math.max(longest, stepUs), 0),
        places: [...report.places, ...found.slice(0, MAX_PLACES).map(toGap)],
        unit: 2 * report.milliseconds > timed ? 'milliseconds' : 'microseconds',
        trustworthy: isTrustworthy(report, timed),
      };
    },
  };
}

const toGap = (step: ClockStep): TimestampFault => ({ kind: 'gap', ...step });

const tomorrow = (nowUs: () => number): number => Math.min(nowUs() + DAY_US, END_OF_TIME_US);

function isTrustworthy(report: TimestampReport, timed: number): boolean {
  const isMixed = report.milliseconds > 0 && report.milliseconds < timed;
  const isInRange = report.outOfRange <= timed * MAX_OUT_OF_RANGE_SHARE;
  return timed > 0 && isInRange && report.backwards === 0 && report.drifts === 0 && !isMixed;
}

function emptyReport(): TimestampReport {
  return {
    records: 0,
    missing: 0,
    outOfRange: 0,
    milliseconds: 0,
    duplicates: 0,
    backwards: 0,
    gaps: 0,
    longestGapUs: 0,
    drifts: 0,
    firstTimeUs: null,
    lastTimeUs: null,
    unit: 'microseconds',
    trustworthy: false,
    places: [],
  };
}
