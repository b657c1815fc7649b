const DAY_S = 24 * 3600;
/** Recordings have the disk for themselves for so long; the share of a day is read in the rest of it. */
const YIELD_S = DAY_S / 4;
/** Bytes a second where nothing is recorded: no more than a slow disk gives without being noticed. */
const FREE_RATE = 32 * 1024 * 1024;
/** Interval of checks for running recordings. */
const GIVE_WAY_MS = 5000;
const CACHED_MS = 2000;

export type PaceDeps = {
  /** Bytes of a day's share, and since when they are due, UTC microseconds. */
  share: { bytes: number; since: number };
  isRecording: () => Promise<boolean>;
  nowUs: () => number;
  nowMs: () => number;
  wait: (ms: number) => Promise<unknown>;
};

/** Speed at which stored files are read again. */
export type Pace = {
  /** Before a file. */
  begin: () => Promise<void>;
  /** Call it after reading this many bytes. */
  after: (bytes: number) => Promise<void>;
};

/**
 * Yields to recordings: while one runs nothing is read. If one runs for longer than six hours, as at a site that records
 * without end, the share is read at the rate of a day, since otherwise a failing disk would never be noticed.
 */
export function readingPace({ share, isRecording, nowUs, nowMs, wait }: PaceDeps): Pace {
  const slowRate = Math.max(64 * 1024, share.bytes / (DAY_S - YIELD_S));
  const freeRate = Math.max(FREE_RATE, 2 * slowRate);
  let known = { recording: false, ms: Number.NEGATIVE_INFINITY };

  async function records(): Promise<boolean> {
    if (nowMs() - known.ms >= CACHED_MS) known = { recording: await isRecording(), ms: nowMs() };
    return known.recording;
  }

  const isLate = () => nowUs() - share.since >= YIELD_S * 1e6;

  async function begin(): Promise<void> {
    while ((await records()) && !isLate()) await wait(GIVE_WAY_MS);
  }

  return {
    begin,
    async after(bytes) {
      const rate = (await records()) ? slowRate : freeRate;
      await wait((1000 * bytes) / rate);
      await begin();
    },
  };
}
