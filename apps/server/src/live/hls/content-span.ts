import type { Span } from '../../media/play/media-sessions.ts';
import type { RecordedSegment, RingSegment } from '../../recorder-wire/protocol.ts';

/** Returns the arrival times of the parts of a segment in a byte range; null if there are none. */
export function spanOfParts({ startUs, parts }: RingSegment, [start, end]: readonly [number, number]): Span | null {
  let contentSpan: Span | null = null;
  let atUs = startUs;
  for (const { offset, sizeBytes, durationSeconds } of parts) {
    const endUs = atUs + durationSeconds * 1e6;
    if (offset < end && offset + sizeBytes > start) contentSpan = [contentSpan?.[0] ?? atUs, endUs];
    atUs = endUs;
  }
  return contentSpan;
}

/** Time span of a segment of a recording. */
export const spanOfRecorded = ({ startUs, durationSeconds }: RecordedSegment): Span => [
  startUs,
  startUs + durationSeconds * 1e6,
];
