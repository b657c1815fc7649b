import type { LiveSocketAsk } from '@osprey/contract';

/** Range of a request in microseconds: before the picture, for its trail, and after it, for what is played next. */
const BEFORE_US = 10_000_000;
const AFTER_US = 20_000_000;

/** Remaining range ahead of the picture, in microseconds, below which more is requested. */
const REMAINING_MIN_US = 8_000_000;

/**
 * Time in milliseconds after which a response is considered lost: the connection was interrupted, or the server was too
 * busy.
 */
const UNHEARD_MS = 10_000;

export type PastSpan = Pick<LiveSocketAsk, 'from' | 'to'>;

/** Minimum time in milliseconds between two requests for the same position, since it probably has no telemetry. */
const SAME_REQUEST_INTERVAL_MS = 5000;
const SAME_US = 1_000_000;

/**
 * Keeps track of the requested and received spans of past telemetry. Times are arrival times of pictures, in UTC
 * microseconds.
 */
export function createPastSpan() {
  /** The received span, which grows piece by piece; rewinding to another position starts a new one. */
  let known: PastSpan | null = null;
  let asked: (PastSpan & { atMs: number; restart: boolean; isOver: boolean }) | null = null;

  function mayAsk(from: number, nowMs: number): boolean {
    if (asked === null) return true;
    const agoMs = nowMs - asked.atMs;
    if (!asked.isOver) return agoMs > UNHEARD_MS;
    return agoMs > SAME_REQUEST_INTERVAL_MS || Math.abs(from - asked.from) > SAME_US;
  }

  return {
    lackingAt(timeUs: number, nowMs: number): PastSpan | null {
      const goesOn = known !== null && timeUs >= known.from && timeUs <= known.to;
      if (known !== null && goesOn && timeUs < known.to - REMAINING_MIN_US) return null;
      const from = known !== null && goesOn ? known.to : Math.round(timeUs) - BEFORE_US;
      if (!mayAsk(from, nowMs)) return null;
      const span = { from, to: Math.round(timeUs) + AFTER_US };
      asked = { ...span, atMs: nowMs, restart: !goesOn, isOver: false };
      return span;
    },
    /**
     * Returns where a piece of a response belongs: in a new span (`restart`) or at the end of the present one (`on`);
     * null if it is no longer expected.
     */
    take({ from, to, last }: PastSpan & { last: boolean }): 'restart' | 'on' | null {
      if (asked === null || asked.isOver || asked.from !== from) return null;
      const place = asked.restart ? 'restart' : 'on';
      known = { from: asked.restart || known === null ? from : known.from, to };
      asked = { ...asked, restart: false, isOver: last };
      return place;
    },
  };
}
