import type { RecordedFile, RecordedSegment, RingSegment } from '../../recorder-wire/protocol.ts';
import { dateTag, decimal, queryOf, targetSeconds } from './tags.ts';

/**
 * Number of target durations at the end of the list that a delta update always contains. rfc8216bis 4.4.3.8 requires at
 * least six, and a player may use such an update only within half of them after its previous one.
 */
const SKIP_TARGETS = 12;

type Listed = {
  uri: string;
  startUs: number;
  durationSeconds: number;
  discontinuity: boolean;
};

/** Segments available for rewinding: complete and consecutive. */
export type Rewindable = {
  /** Identifies the numbering: that of the ring, or of a recording. */
  source: string;
  firstN: number;
  /** Number of discontinuities before the first segment. */
  breaks: number;
  segments: Listed[];
};

export function ofRing(segments: readonly RingSegment[]): Rewindable {
  const complete = segments.filter(({ done }) => done);
  return {
    source: 'ring',
    firstN: complete[0]?.n ?? 0,
    breaks: complete[0]?.breaks ?? 0,
    segments: complete.map(({ n, ...segment }) => ({ ...segment, uri: `${n}.ts` })),
  };
}

/**
 * Returns the segments of a recording from its start: byte ranges of its files, before which the server sends missing
 * PAT and PMT. Each file begins with a discontinuity, since a file cannot be joined to the previous one.
 */
export function ofRecording(
  missionId: string,
  files: readonly Pick<RecordedFile, 'fileId'>[],
  segmentsOf: (fileId: string) => readonly RecordedSegment[],
): Rewindable {
  const segments = files.flatMap(({ fileId }) =>
    segmentsOf(fileId).map(({ n, startUs, durationSeconds, discontinuity }) => ({
      uri: `${fileId}-${n}.ts`,
      startUs,
      durationSeconds,
      discontinuity: discontinuity || n === 0,
    })),
  );
  return { source: missionId, firstN: 0, breaks: 0, segments };
}

/** Number of segments at the start that a delta update may skip, because the player has them already. */
export function skippable(segments: readonly Listed[]): number {
  const boundary = SKIP_TARGETS * targetSeconds(segments);
  let first = segments.length;
  for (let seconds = 0; first > 0 && seconds < boundary; ) seconds += segments[--first]!.durationSeconds;
  return first;
}

/**
 * Writes the playlist of everything that can be rewound, up to the last complete segment (RFC 8216; blocking reloads
 * and delta updates of rfc8216bis). The first `skipped` segments are left out for a player that already has them.
 */
export function dvrPlaylist(
  { firstN, breaks, segments }: Rewindable,
  { token, skipped }: { token: string | null; skipped: number },
): string {
  const query = queryOf(token);
  const target = targetSeconds(segments);
  const lines = [
    '#EXTM3U',
    // EXT-X-SKIP requires version 9 (rfc8216bis, 8); nothing else here does.
    `#EXT-X-VERSION:${skipped > 0 ? 9 : 6}`,
    `#EXT-X-TARGETDURATION:${target}`,
    `#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=${decimal(SKIP_TARGETS * target)}`,
    `#EXT-X-MEDIA-SEQUENCE:${firstN}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${breaks}`,
  ];
  if (skipped > 0) lines.push(`#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}`);
  for (const segment of segments.slice(skipped)) {
    if (segment.discontinuity && segment !== segments[0]) lines.push('#EXT-X-DISCONTINUITY');
    lines.push(dateTag(segment.startUs), `#EXTINF:${decimal(segment.durationSeconds)},`, segment.uri + query);
  }
  return `${lines.join('\n')}\n`;
}
