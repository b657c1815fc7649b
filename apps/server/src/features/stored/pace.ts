const DAY_S = 24 * 3600;
/**
 * Time per day that recordings may occupy the disk alone, in seconds; the daily share of stored bytes is read in the
 * remaining time.
 */
const YIELD_S = DAY_S / 4;
/**
 * Maximum bytes per second while nothing is being recorded; even a slow disk provides this without noticeable delays.
 */
const FREE_RATE = 32 * 1024 * 1024;
/** Interval of checks for running recordings, in milliseconds. */
const GIVE_WAY_MS = 5000;
const CACHED_MS = 2000;

export type PaceDeps = {
  /** Number of bytes to read in a day, and since when they are due, in UTC microseconds. */
  share: { bytes: number; since: number };
  isRecording: () => Promise<boolean>;
  nowUs: () => number;
  nowMs: () => number;
  wait: (ms: number) => Promise<unknown>;
};

/** Limits the speed at which stored files are read again. */
export type Pace = {
  /** Call it before reading a file. */
  begin: () => Promise<void>;
  /** Call it after reading this many bytes. */
  after: (bytes: number) => Promise<void>;
};

/**
 * Gives recordings priority: nothing is read while one runs. If recordings run for more than six hours, as at a site
 * that records continuously, the share is read slowly at the same time, since otherwise a failing disk would never be
 * noticed.
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
