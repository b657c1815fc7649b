import { TICKS_PER_SECOND } from '@osprey/mpegts';
import { PICTURES_PER_SECOND } from './stream.ts';

const STEP_TICKS = TICKS_PER_SECOND / PICTURES_PER_SECOND;
const WRAP = 2 ** 32;

/**
 * Counts pictures, and the missing ones between them, by their times in 90 kHz ticks.
 *
 * @param seam step in the times at which the file of the stream restarts
 */
export function pictureGaps(seam: number) {
  let last: number | null = null;
  let count = 0;
  let missing = 0;

  return {
    add(ticks: number): void {
      count += 1;
      const step = last === null ? STEP_TICKS : (ticks - last + WRAP) % WRAP;
      last = ticks;
      if (step !== seam) missing += Math.max(0, Math.round(step / STEP_TICKS) - 1);
    },
    count: () => count,
    missing: () => missing,
  };
}
