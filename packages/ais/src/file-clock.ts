import type { Origin } from './reader.ts';

const MINUTE_US = 60_000_000;
/** Times that differ by more do not agree. */
const AGREE_US = 10 * MINUTE_US;
/** Reports that must agree with each other, in a row, to replace the time so far: some clocks are wrong. */
const ENOUGH = 5;

/** Where the time of a message of a file comes from: what states it itself, or base stations heard before it. */
export type FileTimeFrom = 'tagBlock' | 'line' | 'baseStation';
export type FileTime = { timeUs: number; from: FileTimeFrom };

/** Fields of a message or position report that state a time. */
export type Timed = { type: number; timeUs?: number | null; second?: number | null };

export type FileClock = {
  /** Time of the next message of the file; null if it is not known yet. */
  timeOf: (message: Timed, origin: Pick<Origin, 'timeUs' | 'timeFrom'>) => FileTime | null;
};

/**
 * Times of the messages of a file, in order. A message takes the time of its tag block, else the one next to the
 * sentence, else that of the last message 4 or 11, carried forward by the UTC seconds of the position reports since.
 */
export function createFileClock(): FileClock {
  /** Last moment that base stations and seconds gave. */
  let clockUs: number | null = null;
  /** A time that disagrees, and the number of reports that agree with it. */
  let other = { timeUs: 0, count: 0 };

  function heard(timeUs: number) {
    if (clockUs !== null && Math.abs(timeUs - clockUs) > AGREE_US) {
      const agrees = Math.abs(timeUs - other.timeUs) <= AGREE_US;
      other = { timeUs, count: agrees ? other.count + 1 : 1 };
      if (other.count < ENOUGH) return;
    }
    other = { timeUs: 0, count: 0 };
    clockUs = timeUs;
  }

  function carried({ type, timeUs = null, second = null }: Timed): number | null {
    if (type === 4 || type === 11) {
      if (timeUs !== null) heard(timeUs);
      return clockUs;
    }
    if (clockUs === null || second === null) return clockUs;
    const minute = Math.floor(clockUs / MINUTE_US) * MINUTE_US + second * 1_000_000;
    // The minute that is nearest: reports may be late, and files have gaps of less than half of one.
    const nearest = minute + Math.round((clockUs - minute) / MINUTE_US) * MINUTE_US;
    clockUs = Math.max(clockUs, nearest);
    return nearest;
  }

  return {
    timeOf(message, { timeUs, timeFrom }) {
      const carriedUs = carried(message);
      if (timeUs !== null && timeFrom !== null) return { timeUs, from: timeFrom };
      return carriedUs === null ? null : { timeUs: carriedUs, from: 'baseStation' };
    },
  };
}
