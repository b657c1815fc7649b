import type { RingSegment } from '../../recorder-wire/protocol.ts';
import { dateTag, decimal, queryOf, targetSeconds } from './tags.ts';

/** Length of the playlist in seconds: the amount that a player needs to begin, and a little more. */
const WINDOW_SECONDS = 30;
/** Time span, in seconds, in which the longest part is determined. */
const MEASURED_SECONDS = 120;
/** Maximum duration of a part in the recorder's ring, unless a single picture lasts longer. */
const PART_SECONDS = 0.5;
/** A player must stay at least three parts behind the live edge (rfc8216bis, 4.4.3.8). */
const HOLD_BACK_PARTS = 3;
/** A player that has the latest playlist never requests segments further ahead than this (rfc8216bis, 6.2.5.2). */
const AHEAD_SEGMENTS = 2;

export type Reload = { msn: number; part: number | null };

export const hasComplete = (segments: readonly RingSegment[]): boolean => segments.some(({ done }) => done);

/** Returns whether a playlist of these segments satisfies a blocking reload (rfc8216bis 6.2.5.2). */
export function answersReload(segments: readonly RingSegment[], { msn, part }: Reload): boolean {
  const last = segments.at(-1);
  if (last === undefined || last.n < msn) return false;
  if (last.n > msn) return true;
  // A part number beyond the end of its segment means the first part of the next one.
  return part === null ? last.done : part < last.parts.length;
}

export function isTooFarAhead(segments: readonly RingSegment[], { msn, part }: Reload): boolean {
  const last = segments.at(-1);
  if (last === undefined) return false;
  const partsAhead = part === null || msn !== last.n || last.done ? 0 : part - last.parts.length;
  return msn > last.n + AHEAD_SEGMENTS || partsAhead > Math.ceil(HOLD_BACK_PARTS / partTarget(segments));
}

/**
 * Writes the low-latency HLS playlist (rfc8216bis) of a sensor's last half minute. The parts of a segment are byte
 * ranges of one file.
 */
export function llPlaylist(segments: readonly RingSegment[], token: string | null): string {
  const listed = lastOf(segments, WINDOW_SECONDS);
  const target = targetSeconds(segments);
  const part = partTarget(segments);
  const partsFrom = lastOf(listed, 3 * target)[0]?.n ?? 0;
  const query = queryOf(token);
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:9',
    `#EXT-X-TARGETDURATION:${target}`,
    `#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=${decimal(HOLD_BACK_PARTS * part)}`,
    `#EXT-X-PART-INF:PART-TARGET=${decimal(part)}`,
    `#EXT-X-MEDIA-SEQUENCE:${listed[0]?.n ?? 0}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${listed[0]?.breaks ?? 0}`,
  ];
  for (const segment of listed) {
    const uri = `${segment.n}.ts${query}`;
    if (segment.discontinuity && segment !== listed[0]) lines.push('#EXT-X-DISCONTINUITY');
    lines.push(dateTag(segment.startUs));
    if (segment.n >= partsFrom) lines.push(...partTags(segment, uri));
    if (segment.done) lines.push(`#EXTINF:${decimal(segment.durationSeconds)},`, uri);
  }
  return `${[...lines, hintTag(listed.at(-1), query)].join('\n')}\n`;
}

const partTags = ({ parts }: RingSegment, uri: string): string[] =>
  parts.map(
    ({ durationSeconds, sizeBytes, offset, independent }) =>
      `#EXT-X-PART:DURATION=${decimal(durationSeconds)},URI="${uri}",BYTERANGE="${sizeBytes}@${offset}"${independent ? ',INDEPENDENT=YES' : ''}`,
  );

/** Writes the preload hint: the location of the next part. */
function hintTag(last: RingSegment | undefined, query: string): string {
  const [n, start] = last?.done ? [last.n + 1, 0] : [last?.n ?? 0, last?.sizeBytes ?? 0];
  return `#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${n}.ts${query}",BYTERANGE-START=${start}`;
}

/** Returns the duration of the longest recent part, rounded up to the precision of the playlist. */
function partTarget(segments: readonly RingSegment[]): number {
  const parts = lastOf(segments, MEASURED_SECONDS).flatMap((segment) => segment.parts);
  const longest = Math.max(PART_SECONDS, ...parts.map(({ durationSeconds }) => durationSeconds));
  return Math.ceil(longest * 1000) / 1000;
}

function lastOf(segments: readonly RingSegment[], seconds: number): readonly RingSegment[] {
  let first = segments.length;
  for (let length = 0; first > 0 && length < seconds; ) length += segments[--first]!.durationSeconds;
  return segments.slice(first);
}
