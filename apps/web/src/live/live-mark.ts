import { fill, formatNumber, formatRemaining } from '../base/format.ts';
import { texts } from './texts.ts';

/** What its way promises, and so much more, is live still: it catches up by itself. Milliseconds. */
const STILL_LIVE_MS = 2000;

type Place = {
  /** Behind live; null while not known. Milliseconds. */
  delayMs: number | null;
  /** What its way promises. */
  goalMs: number;
  /** It stands, or plays where somebody wound it to, and does not come back to live by itself. */
  isHeld: boolean;
};

export type LiveMark = {
  /** Seconds behind live where that is not live any more; null while it is. */
  behindS: number | null;
  /** Beside the badge: how old a live picture is, or in its place how far behind live another one is. */
  text: string;
};

/** What a player says of where it is. */
export function liveMark({ delayMs, goalMs, isHeld }: Place): LiveMark {
  const isLive = !isHeld && (delayMs === null || delayMs <= goalMs + STILL_LIVE_MS);
  if (delayMs === null) return { behindS: isLive ? null : 0, text: '' };
  if (isLive) {
    const seconds = formatNumber(delayMs / 1000, delayMs < 1000 ? 2 : 1);
    return { behindS: null, text: fill(texts.delay, { seconds }) };
  }
  const behindS = Math.round(delayMs / 1000);
  return { behindS, text: fill(texts.behindLive, { time: formatRemaining(behindS) }) };
}
