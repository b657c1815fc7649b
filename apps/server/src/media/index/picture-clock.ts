import { EARLIEST_US } from '@osprey/klv';
import type { AccessUnit } from '@osprey/mpegts';
import { createKlvClock, type KlvClock } from '../../telemetry/klv-clock.ts';

const DAY_US = 86_400_000_000;

/** A clock derived from the time stamps in the pictures (MISB ST 0604). */
export type PictureClock = Pick<KlvClock, 'isBelieved' | 'runs' | 'firstTimeUs' | 'lastTimeUs' | 'toleranceUs'> & {
  /** Number of pictures with a stamp, and of those whose clock is not locked to a reference, or has jumped. */
  stamps: number;
  unlocked: number;
  discontinuous: number;
  /** Number of backward jumps among them; absent in older indexes. */
  reversed?: number;
};

/** Collects the time stamps in the shown video; they are checked like the clock of the metadata. */
export function createPictureClock({ nowUs }: { nowUs: () => number }) {
  const clock = createKlvClock();
  const counts = { stamps: 0, unlocked: 0, discontinuous: 0, reversed: 0 };

  return {
    add({ stamp, ptsTicks, run }: AccessUnit): void {
      if (!stamp || ptsTicks === null) return;
      counts.stamps += 1;
      if (!stamp.isLocked) counts.unlocked += 1;
      if (stamp.isDiscontinuous) counts.discontinuous += 1;
      if (stamp.isReversed) counts.reversed += 1;
      if (stamp.timeUs < EARLIEST_US || stamp.timeUs > nowUs() + DAY_US) return;
      clock.add({ run, ticks: ptsTicks, isOwn: true }, stamp.timeUs);
    },

    /** Null if no picture has a stamp. */
    finish(): PictureClock | null {
      if (counts.stamps === 0) return null;
      const judged = clock.finish(counts.stamps);
      if (judged === null) {
        return { isBelieved: false, runs: [], firstTimeUs: 0, lastTimeUs: 0, toleranceUs: 0, ...counts };
      }
      const { isBelieved, runs, firstTimeUs, lastTimeUs, toleranceUs } = judged;
      return { isBelieved, runs, firstTimeUs, lastTimeUs, toleranceUs, ...counts };
    },
  };
}
