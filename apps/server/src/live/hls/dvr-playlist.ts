import type { RecordedFile, RecordedSegment, RingSegment } from '../../recorder-wire/protocol.ts';
import { dateTag, decimal, queryOf, targetSeconds } from './tags.ts';

/**
 * Target durations that a delta update lists: rfc8216bis 4.4.3.8 asks for six at least, and a player takes such an
 * update for half of them only after its last one.
 */
const SKIP_TARGETS = 12;

type Listed = {
  uri: string;
  startUs: number;
  durationSeconds: number;
  discontinuity: boolean;
};

/** Segments that can be rewound now: whole ones, one after the other. */
export type Rewindable = {
  /** Identifies the numbering: the ring, or a recording. */
  source: string;
  firstN: number;
  /** Breaks up to the first segment. */
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
 * A recording from its start: pieces of its files, to which the server adds the tables that they lack. A new file cannot
 * be joined to the one before.
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

/** Number of segments at the start that the player has already, so that a delta update may skip them. */
export function skippable(segments: readonly Listed[]): number {
  const boundary = SKIP_TARGETS * targetSeconds(segments);
  let first = segments.length;
  for (let seconds = 0; first > 0 && seconds < boundary; ) seconds += segments[--first]!.durationSeconds;
  return first;
}

/**
 * Everything that can be rewound, to the last whole segment (RFC 8216; blocking reloads and delta updates of
 * rfc8216bis): `skipped` segments at the start are left out for a player that has them already.
 */
export function dvrPlaylist(
  { firstN, breaks, segments }: Rewindable,
  { token, skipped }: { token: string | null; skipped: number },
): string {
  const query = queryOf(token);
  const target = targetSeconds(segments);
  const lines = [
    '#EXTM3U',
    // rfc8216bis 8: what is skipped needs version 9; nothing else here does.
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
