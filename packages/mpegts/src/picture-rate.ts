import { TICKS_PER_SECOND } from './timeline.ts';

/** Measures how many pictures a second are shown. */
export type PictureRate = {
  /** Adds the time of a picture, in stream order; pictures without a time are left out. */
  add(ptsTicks: number): void;
  /** Begins again: the following times are of another clock. */
  restart(): void;
  /** Pictures a second; null before two pictures of one clock. */
  perSecond(): number | null;
};

/** Pictures put in order before a step is measured: H.264 and H.265 reorder at most so many. */
const REORDERED = 16;
/** Size of the reordering buffer: its content is moved to the front when it is full, not at each picture. */
const ROOM = 256;
/** Steps are counted in classes of about 2 %, from 1 tick to 12 s. */
const PER_OCTAVE = 32;
const CLASSES = 20 * PER_OCTAVE;
/** Steps within this factor of the middle one are the rhythm; others are gaps and repetitions. */
const RHYTHM = Math.SQRT2;

/**
 * Makes a measure of the mean of those steps that are near the median, so that missing and repeated pictures change
 * nothing. Constant memory.
 */
export function createPictureRate(): PictureRate {
  const counts = new Float64Array(CLASSES);
  const sums = new Float64Array(CLASSES);
  /** Times in rising order that later pictures may still come before. */
  const open = new Float64Array(ROOM);
  let first = 0;
  let length = 0;
  let last = Number.NaN;
  /** Most steps are like the one before. */
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
