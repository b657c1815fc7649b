import { TICKS_PER_SECOND } from './timeline.ts';

/** Measures how many pictures per second are shown. */
export type PictureRate = {
  /** Adds the time of a picture, in stream order; pictures without a time are not added. */
  add(ptsTicks: number): void;
  /** Restarts the measurement, since the following times belong to another clock. */
  restart(): void;
  /** Returns the number of pictures per second; null before two pictures of the same clock. */
  perSecond(): number | null;
};

/** Number of pictures that are sorted before a step is measured: the maximum reordering of H.264 and H.265. */
const REORDERED = 16;
/**
 * Size of the reordering buffer. Its content is moved to the start only when it is full, rather than for each picture.
 */
const ROOM = 256;
/**
 * Number of classes per octave in which steps are counted: each covers about 2 %, and together they range from 1 tick
 * to 12 s.
 */
const PER_OCTAVE = 32;
const CLASSES = 20 * PER_OCTAVE;
/** Steps within this factor of the median are regular; others are gaps and repetitions. */
const RHYTHM = Math.SQRT2;

/**
 * Creates a measurement of the mean of those steps that are close to the median, so that missing and repeated pictures
 * have no influence. Uses constant memory.
 */
export function createPictureRate(): PictureRate {
  const counts = new Float64Array(CLASSES);
  const sums = new Float64Array(CLASSES);
  /** Times in ascending order; later pictures may still precede some of them. */
  const open = new Float64Array(ROOM);
  let first = 0;
  let length = 0;
  let last = Number.NaN;
  /** Remember the last step and its class, since most steps equal the previous one. */
  let lastStep = Number.NaN;
  let lastClass = 0;

  function add(ptsTicks: number) {
    if (first + length === ROOM) {
      open.copyWithin(0, first);
      first = 0;
    }
    let at = first + length++;
    while (at > first && open[at - 1]! > ptsTicks) {
      open[at] = open[at - 1]!;
      at--;
    }
    open[at] = ptsTicks;
    if (length > REORDERED) takeFirst();
  }

  function takeFirst() {
    const step = open[first]! - last;
    last = open[first]!;
    first++;
    length--;
    if (!(step > 0)) return;
    if (step !== lastStep) {
      lastStep = step;
      lastClass = Math.min(CLASSES - 1, Math.floor(Math.log2(step) * PER_OCTAVE));
    }
    counts[lastClass]! += 1;
    sums[lastClass]! += step;
  }

  function restart() {
    while (length > 0) takeFirst();
    last = Number.NaN;
  }

  function perSecond(): number | null {
    restart();
    const median = medianStep();
    if (median === null) return null;
    let count = 0;
    let sum = 0;
    for (let i = 0; i < CLASSES; i++) {
      const mean = sums[i]! / counts[i]!;
      if (!(mean > median / RHYTHM && mean < median * RHYTHM)) continue;
      count += counts[i]!;
      sum += sums[i]!;
    }
    return (TICKS_PER_SECOND * count) / sum;
  }

  function medianStep(): number | null {
    const all = counts.reduce((sum, count) => sum + count, 0);
    let left = all / 2;
    for (let i = 0; i < CLASSES; i++) {
      left -= counts[i]!;
      if (counts[i]! > 0 && left <= 0) return sums[i]! / counts[i]!;
    }
    return null;
  }

  return { add, restart, perSecond };
}
