import { utcOfPts } from '../../telemetry/timebase.ts';
import type { IndexedFile, PlayableSegment } from '../index/sensor-index.ts';
import type { Span } from './media-sessions.ts';

type Fetched = {
  file: IndexedFile;
  /** Storage key of the file that is read: an original, or the rendition that is played instead. */
  key: string;
  /** Half-open range in bytes. */
  range: readonly [start: number, end: number];
  shiftUs: number;
};

/**
 * Returns the recording times of a byte range, rounded to segments, as the timeline shows them. If another file than
 * the played one is read, positions in it are unknown, so the result is everything that is shown of the file.
 */
export function spanOfRange({ file, key, range: [start, end], shiftUs }: Fetched): Span | null {
  const { media, window } = file;
  if (media?.storageKey !== key) return [window[0] + shiftUs, window[1] + shiftUs];
  const touched = media.segments.filter(({ offset, sizeBytes }) => offset < end && offset + sizeBytes > start);
  return spanOfSegments(file, touched, shiftUs);
}

/** Returns the recording times of segments; null if no time is known. */
export function spanOfSegments(
  { timebase }: Pick<IndexedFile, 'timebase'>,
  segments: readonly PlayableSegment[],
  shiftUs: number,
): Span | null {
  const times = segments.flatMap(({ run, startTicks, durationTicks }) =>
    [startTicks, startTicks + durationTicks].map((ticks) => utcOfPts(timebase, run, ticks) + shiftUs),
  );
  const dated = times.filter((timeUs) => !Number.isNaN(timeUs));
  return dated.length === 0 ? null : [Math.min(...dated), Math.max(...dated)];
}
