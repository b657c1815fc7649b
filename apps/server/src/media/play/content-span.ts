import { utcOfPts } from '../../telemetry/timebase.ts';
import type { IndexedFile, PlayableSegment } from '../index/sensor-index.ts';
import type { Span } from './media-sessions.ts';

type Fetched = {
  file: IndexedFile;
  /** File that is read: an original, or the rendition that is played in its place. */
  key: string;
  /** Half open, in bytes. */
  range: readonly [start: number, end: number];
  shiftUs: number;
};

/**
 * Recording times of a range of a file, to the segment, as the timeline shows it. For a rendition, places in the
 * original are unknown: then it is all that is shown of the file.
 */
export function spanOfRange({ file, key, range: [start, end], shiftUs }: Fetched): Span | null {
  const { media, window } = file;
  if (media?.storageKey !== key) return [window[0] + shiftUs, window[1] + shiftUs];
  const touched = media.segments.filter(({ offset, sizeBytes }) => offset < end && offset + sizeBytes > start);
  return spanOfSegments(file, touched, shiftUs);
}

/** Recording times of segments; null where none of them has a known time. */
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
