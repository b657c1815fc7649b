import { fill, formatNumber, formatRemaining } from '../base/format.ts';
import { texts } from './texts.ts';

/** The promised delay of its way plus this is live still: it catches up by itself. Milliseconds. */
const STILL_LIVE_MS = 2000;

type Place = {
  /** Delay; null while not known. Milliseconds. */
  latencyMs: number | null;
  /** The promised delay of its way. */
  goalMs: number;
  /** True if paused, or playing at an earlier place that the user chose: then it does not return to live by itself. */
  isPaused: boolean;
};

export type LiveMark = {
  /** Delay in seconds if that is not live any more; null while it is. */
  behindS: number | null;
  /** Next to the badge: the age of a live picture, or in its place the delay of another one. */
  text: string;
};

/** Text of a player about its delay. */
export function liveMark({ latencyMs, goalMs, isPaused }: Place): LiveMark {
  const isLive = !isPaused && (latencyMs === null || latencyMs <= goalMs + STILL_LIVE_MS);
  if (latencyMs === null) return { behindS: isLive ? null : 0, text: '' };
  if (isLive) {
    const seconds = formatNumber(latencyMs / 1000, latencyMs < 1000 ? 2 : 1);
    return { behindS: null, text: fill(texts.latency, { seconds }) };
  }
  const behindS = Math.round(latencyMs / 1000);
  return { behindS, text: fill(texts.behindLive, { time: formatRemaining(behindS) }) };
}
