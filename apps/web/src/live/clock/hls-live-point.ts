import type { LevelDetails } from 'hls.js';

/** Minimum length of our segments, seconds. */
const SEGMENT_S = 2;

/** For the way of a segment to here and into the decoder. Seconds. */
const MARGIN_S = 1.5;

/** A stream that was late is played later, each time by this, up to the most. Seconds. */
const STALL_S = 0.25;
const STALL_MOST_S = 2;

/** Number of segments that show their current length. */
const LAST = 5;

/** If no newer segment comes, live is this far before the end. Seconds. */
const BEFORE_END_S = 0.6;

/** Delay at which a list of two-second segments is played. */
export const USUAL_BEHIND_S = SEGMENT_S + MARGIN_S;

/**
 * Returns the live edge in a list of whole segments, media seconds. By the last segments and not by the list's target
 * duration, which one long segment, where a key frame was lost, raises for as long as it can be wound back to.
 */
export function hlsLivePoint(
  { fragments, fragmentStart, edge, age }: Pick<LevelDetails, 'fragments' | 'fragmentStart' | 'edge' | 'age'>,
  stalls: number,
): number {
  const longest = Math.max(SEGMENT_S, ...fragments.slice(-LAST).map(({ duration }) => duration));
  const behind = longest + MARGIN_S + Math.min(stalls * STALL_S, STALL_MOST_S);
  return Math.max(fragmentStart, Math.min(edge + age - behind, edge - BEFORE_END_S));
}
