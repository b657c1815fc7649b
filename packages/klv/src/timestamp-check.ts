import { type ClockStep, createClockGaps } from './clock-gaps.ts';
import { END_OF_TIME_US } from './tag-info.ts';

const TICKS_PER_US = 90_000 / 1_000_000;
const SECOND_US = 1_000_000;
const MINUTE_US = 60 * SECOND_US;
const DAY_US = 24 * 60 * MINUTE_US;

/** 1990-01-01: no recording is older; an earlier time is from a clock that was never set. */
export const EARLIEST_US = 631_152_000 * SECOND_US;
/** Milliseconds written as microseconds are read as such when they then fall between 1990 and tomorrow. */
const US_PER_MS = 1000;
/** Allowed difference between the KLV clock and PTS over a minute. */
const MAX_DRIFT_US = SECOND_US;
/** Greatest share of times out of range: a clock set a moment after the recording began, or wrong once, is usable. */
const MAX_OUT_OF_RANGE_SHARE = 0.01;
/** Most faults listed, and most gaps listed; all are counted. */
const MAX_PLACES = 100;

export type TimestampFaultKind =
  | 'missing'
  | 'outOfRange'
  | 'milliseconds'
  | 'duplicate'
  | 'backwards'
  | 'gap'
  | 'drift';

/** One place where the clock is not as it should be. */
export type TimestampFault = {
  kind: TimestampFaultKind;
  /** Number of the record, from 0, in the order of `add`. */
  index: number;
  timeUs: number | null;
  /** For duplicate, backwards and gap: step from the record before; for drift: how far from PTS. Else null. */
  stepUs: number | null;
};

/** Result of `createTimestampCheck`. All are counted; the first 100 places are listed, then the first 100 gaps. */
export type TimestampReport = {
  records: number;
  /** Records without a time. */
  missing: number;
  /** Before 1990 or after tomorrow, all ones included; not counted again below. */
  outOfRange: number;
  /** Times that are milliseconds by mistake. */
  milliseconds: number;
  /** Same time as the record before. */
  duplicates: number;
  /** Earlier than the record before. */
  backwards: number;
  /** Five seconds or more after the record before, three times what is usual, and no less than half of it by PTS. */
  gaps: number;
  longestGapUs: number;
  /** Times KLV clock and PTS went apart by more than a second within a minute. */
  drifts: number;
  /** Usable times as they came: milliseconds stay milliseconds, see `unit`. */
  firstTimeUs: number | null;
  lastTimeUs: number | null;
  /**
   * Unit of the times. 'milliseconds' if most usable times are milliseconds by mistake: multiply by 1000, and say so.
   */
  unit: 'microseconds' | 'milliseconds';
  /**
   * The clock can give wall time: at least 99 of 100 records are between 1990 and tomorrow, and those never go
   * backwards and keep within a second of PTS over a minute. Duplicates do not matter, nor do gaps that PTS has too.
   */
  trustworthy: boolean;
  places: TimestampFault[];
};

/**
 * Watches the time stamps of one stream. It counts and lists; it changes nothing. Feed the records
 * in their order: tag 2 in microseconds, and PTS in 90 kHz ticks, unwrapped, null where there is
 * none. Call `restart` where PTS jumps (a new run), so that drift is not counted across it.
 *
 * @param options.nowUs present time in microseconds since 1970: times after tomorrow are wrong. Asked again when a
 * time seems to be, since a recording may run for days.
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

  /** Returns the time in true microseconds, or null where it does not count as a time. */
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

  /** Whether PTS advances by at least half the step too. If not, the clock was set, and no telemetry is missing. */
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
    /** Returns the time in true microseconds, null where it is none that counts. */
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

    /** PTS restarts: drift is measured from the next record on. */
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
