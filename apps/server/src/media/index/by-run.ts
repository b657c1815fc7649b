import type { PlayableSegment } from './sensor-index.ts';

/** Groups consecutive segments that belong to the same run of the stream. */
export function byRun(segments: readonly PlayableSegment[]): PlayableSegment[][] {
  const stretches: PlayableSegment[][] = [];
  for (const segment of segments) {
    const last = stretches[stretches.length - 1];
    if (last && last[0]?.run === segment.run) last.push(segment);
    else stretches.push([segment]);
  }
  return stretches;
}
