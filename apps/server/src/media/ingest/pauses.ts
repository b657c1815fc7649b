import type { SensorTimeline } from '@osprey/contract';

type Gap = SensorTimeline['gaps'][number];

/** Shorter ones are no gap of a timeline. */
const PAUSE_US = 60_000_000;
/** A logger that writes a point in five minutes has no hole between two of them. */
const TIMES_THE_USUAL = 10;
/** A log that is nothing but holes is shown as one. */
const PAUSES_MAX = 1000;

/** Finds where the records of one file pause. Times are UTC microseconds, in rising order but for stumbles of a clock. */
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

    /** Pauses that are long compared with the usual step of this file. */
    pauses(): Gap[] {
      const lost = long.reduce((sum, { start, end }) => sum + end - start, 0);
      const usual = steps > long.length ? (lastUs - firstUs - lost) / (steps - long.length) : Number.POSITIVE_INFINITY;
      return long.filter(({ start, end }) => end - start >= TIMES_THE_USUAL * usual);
    },
  };
}
