import { fill, formatNumber, formatRemaining } from '../base/format.ts';
import { texts } from './texts.ts';

/**
 * Milliseconds above the expected latency of the mode up to which playback still counts as live, since it catches up
 * automatically.
 */
const LIVE_TOLERANCE_MS = 2000;

type Place = {
  /** Delay in milliseconds; null while unknown. */
  latencyMs: number | null;
  /** Expected latency of the mode, in milliseconds. */
  goalMs: number;
  /**
   * True if playback is paused or at an earlier position that the user chose; it then does not return to live
   * automatically.
   */
  isPaused: boolean;
};

export type LiveMark = {
  /** Delay in seconds if playback is not live any more; null while it is live. */
  behindS: number | null;
  /** Text next to the badge: the latency of a live picture, or how far another picture is behind live. */
  text: string;
};

/** Returns the text of a player about its delay. */
export function liveMark({ latencyMs, goalMs, isPaused }: Place): LiveMark {
  const isLive = !isPaused && (latencyMs === null || latencyMs <= goalMs + LIVE_TOLERANCE_MS);
  if (latencyMs === null) return { behindS: isLive ? null : 0, text: '' };
  if (isLive) {
    const seconds = formatNumber(latencyMs / 1000, latencyMs < 1000 ? 2 : 1);
    return { behindS: null, text: fill(texts.latency, { seconds }) };
  }
  const behindS = Math.round(latencyMs / 1000);
  return { behindS, text: fill(texts.behindLive, { time: formatRemaining(behindS) }) };
}
