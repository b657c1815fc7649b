import type { PlayableSegment } from './sensor-index.ts';

/** Segments in order, parted where one belongs to another run of the stream than the one before it. */
export function byRun(segments: readonly PlayableSegment[]): PlayableSegment[][] {
  const stretches: PlayableSegment[][] = [];
  for (const segment of segments) {
    const last = stretches[stretches.length - 1];
    if (last && last[0]?.run === segment.run) last.push(segment);
    else stretches.push([segment]);
  }
  return stretches;
}
