import type { RecordedFile, RecordedSegment, RingSegment } from '../protocol.ts';
import { dateTag, decimal, queryOf, targetSeconds } from './tags.ts';

type Listed = {
  uri: string;
  /** Null: the whole file. */
  bytes: { offset: number; sizeBytes: number } | null;
  startUs: number;
  durationSeconds: number;
  discontinuity: boolean;
};

/** What can be rewound now: whole segments, one after the other. */
export type Rewindable = {
  /** Tells one numbering from another: the ring, or a recording. */
  source: string;
  firstN: number;
  /** Breaks up to the first segment. */
  breaks: number;
  segments: Listed[];
};

export function ofRing(segments: readonly RingSegment[]): Rewindable {
  const whole = segments.filter(({ done }) => done);
  return {
    source: 'ring',
    firstN: whole[0]?.n ?? 0,
    breaks: whole[0]?.breaks ?? 0,
    segments: whole.map(({ n, ...segment }) => ({ ...segment, uri: `${n}.ts`, bytes: null })),
  };
}

/** A recording from its start: byte ranges of its files as they lie. A new file cannot be joined to the one before. */
export function ofRecording(
  missionId: string,
  files: readonly Pick<RecordedFile, 'fileId'>[],
  segmentsOf: (fileId: string) => readonly RecordedSegment[],
): Rewindable {
  const segments = files.flatMap(({ fileId }) =>
    segmentsOf(fileId).map((segment, i) => ({
      uri: `${fileId}.ts`,
      bytes: segment,
      startUs: segment.startUs,
      durationSeconds: segment.durationSeconds,
      discontinuity: segment.discontinuity || i === 0,
    })),
  );
  return { source: missionId, firstN: 0, breaks: 0, segments };
}

/** Everything that can be rewound, to the last whole segment (RFC 8216; blocking reloads of rfc8216bis). */
export function dvrPlaylist({ firstN, breaks, segments }: Rewindable, token: string | null): string {
  const query = queryOf(token);
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    `#EXT-X-TARGETDURATION:${targetSeconds(segments)}`,
    '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES',
    `#EXT-X-MEDIA-SEQUENCE:${firstN}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${breaks}`,
  ];
  for (const segment of segments) {
    if (segment.discontinuity && segment !== segments[0]) lines.push('#EXT-X-DISCONTINUITY');
    lines.push(dateTag(segment.startUs), `#EXTINF:${decimal(segment.durationSeconds)},`);
    if (segment.bytes) lines.push(`#EXT-X-BYTERANGE:${segment.bytes.sizeBytes}@${segment.bytes.offset}`);
    lines.push(segment.uri + query);
  }
  return `${lines.join('\n')}\n`;
}
