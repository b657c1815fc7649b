import { createDemuxer, TICKS_PER_SECOND } from '@osprey/mpegts';
import type { Storage, StoredFile } from '../../base/storage/storage.ts';
import { type ContainerKind, surveyContainer } from './containers/survey.ts';

/**
 * Number of bytes read at both ends of a recording, enough to contain its first and last pictures at up to some hundred
 * Mbit/s.
 */
const END_BYTES = 4 * 1024 * 1024;
const WRAP = 2 ** 33;

/**
 * Returns the duration in seconds of a recording with a continuous clock, read from its two ends; null if they do not
 * show it. The durations in a playlist are rounded for each segment, which adds up to minutes in a day.
 */
export async function trueSeconds(storage: Storage, key: string, kind: 'ts' | ContainerKind): Promise<number | null> {
  const source = await storage.open(key);
  try {
    if (kind !== 'ts') {
      const { durationSeconds } = await surveyContainer(source, kind, Date.now() * 1000);
      return durationSeconds > 0 ? durationSeconds : null;
    }
    const head = await timesIn(source, 0, Math.min(END_BYTES, source.sizeBytes));
    const tail =
      source.sizeBytes <= END_BYTES ? head : await timesIn(source, source.sizeBytes - END_BYTES, source.sizeBytes);
    if (head === null || tail === null) return null;
    const ticks = (((tail.last - head.first) % WRAP) + WRAP) % WRAP;
    return (ticks + tail.pictureTicks) / TICKS_PER_SECOND;
  } finally {
    await source.close();
  }
}

type Times = { first: number; last: number; pictureTicks: number };

/** Returns the first and the last PTS of the pictures in a part, and the interval between the last two. */
async function timesIn(source: StoredFile, from: number, to: number): Promise<Times | null> {
  const bytes = new Uint8Array(to - from);
  const filled = await source.read(bytes, from);
  const times: number[] = [];
  let pid: number | null = null;
  const demuxer = createDemuxer({
    accessUnit: (unit) => {
      pid ??= unit.pid;
      if (unit.pid === pid && unit.ptsTicks !== null) times.push(unit.ptsTicks);
    },
  });
  demuxer.push(bytes.subarray(0, filled));
  demuxer.end();
  times.sort((a, b) => a - b);
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return null;
  return { first, last, pictureTicks: last - (times.at(-2) ?? last) };
}
