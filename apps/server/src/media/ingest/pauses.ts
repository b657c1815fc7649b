import type { SensorTimeline } from '@osprey/contract';

type Gap = SensorTimeline['gaps'][number];

/** Minimum length of a gap in a timeline, in microseconds. */
const PAUSE_US = 60_000_000;
/**
 * Minimum length of a gap as a multiple of the usual interval, so that a logger with one point in five minutes has no
 * gaps between them.
 */
const TIMES_THE_USUAL = 10;
/** Maximum number of gaps; a log with more is shown without gaps. */
const PAUSES_MAX = 1000;

/** Finds pauses in the records of one file. Times are UTC microseconds, ascending except for errors of the clock. */
export function createPauseFinder() {
  const long: Gap[] = [];
  let firstUs = Number.NaN;
  let lastUs = Number.NaN;
  let steps = 0;
  return {
    add(timeUs: number): void {
      if (Number.isNaN(firstUs)) firstUs = timeUs;
      else steps += 1;
      if (timeUs - lastUs >= PAUSE_US && long.length < PAUSES_MAX) long.push({ start: lastUs, end: timeUs });
      lastUs = Number.isNaN(lastUs) ? timeUs : Math.max(lastUs, timeUs);
    },

    /** Returns the pauses that are long compared with the usual interval of this file. */
    pauses(): Gap[] {
      const lost = long.reduce((sum, { start, end }) => sum + end - start, 0);
      const usual = steps > long.length ? (lastUs - firstUs - lost) / (steps - long.length) : Number.POSITIVE_INFINITY;
      return long.filter(({ start, end }) => end - start >= TIMES_THE_USUAL * usual);
    },
  };
}
