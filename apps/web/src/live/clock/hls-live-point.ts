import type { LevelDetails } from 'hls.js';

/** Minimum length of the server's segments, in seconds. */
const SEGMENT_S = 2;

/** Time in seconds for a segment to reach the browser and its decoder. */
const MARGIN_S = 1.5;

/** Seconds by which playback is delayed further each time the stream stalled, up to STALL_MAX_S in total. */
const STALL_S = 0.25;
const STALL_MAX_S = 2;

/** Number of recent segments from which the current segment length is determined. */
const LAST = 5;

/** Minimum distance of live from the end of the playlist in seconds, used if no newer segment arrives. */
const BEFORE_END_S = 0.6;

/** Usual delay in seconds at which a playlist of two-second segments is played. */
export const USUAL_BEHIND_S = SEGMENT_S + MARGIN_S;

/**
 * Returns the live position in a playlist of whole segments, in media seconds. It is based on the length of the latest
 * segments. The target duration of the playlist is not used, since a single long segment (after a lost key frame)
 * increases it for as long as the segment can be rewound to.
 */
export function hlsLivePoint(
  { fragments, fragmentStart, edge, age }: Pick<LevelDetails, 'fragments' | 'fragmentStart' | 'edge' | 'age'>,
  stalls: number,
): number {
  const longest = Math.max(SEGMENT_S, ...fragments.slice(-LAST).map(({ duration }) => duration));
  const behind = longest + MARGIN_S + Math.min(stalls * STALL_S, STALL_MAX_S);
  return Math.max(fragmentStart, Math.min(edge + age - behind, edge - BEFORE_END_S));
}
