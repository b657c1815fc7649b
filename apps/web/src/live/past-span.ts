import type { LiveSocketAsk } from '@osprey/contract';

/** Asked for at once: some before the picture, for its trail, and what is played next. */
const BEFORE_US = 10_000_000;
const AFTER_US = 20_000_000;

/** Asked on when so little is left ahead of the picture. */
const LEFT_US = 8_000_000;

/** An answer that has not come by then was not heard: the connection was lost, or the server was too busy. */
const UNHEARD_MS = 10_000;

export type PastSpan = Pick<LiveSocketAsk, 'from' | 'to'>;

/** The same place is not asked for again sooner: there was no telemetry. */
const AGAIN_MS = 5000;
const SAME_US = 1_000_000;

/** Requested and received spans of past telemetry; by the arrival of pictures, UTC microseconds. */
export function createPastSpan() {
  /** One piece after the other; winding to elsewhere starts again. */
  let known: PastSpan | null = null;
  let asked: (PastSpan & { atMs: number; restart: boolean; isOver: boolean }) | null = null;

  function mayAsk(from: number, nowMs: number): boolean {
    if (asked === null) return true;
    const agoMs = nowMs - asked.atMs;
    if (!asked.isOver) return agoMs > UNHEARD_MS;
    return agoMs > AGAIN_MS || Math.abs(from - asked.from) > SAME_US;
  }

  return {
    lackingAt(timeUs: number, nowMs: number): PastSpan | null {
      const goesOn = known !== null && timeUs >= known.from && timeUs <= known.to;
      if (known !== null && goesOn && timeUs < known.to - LEFT_US) return null;
      const from = known !== null && goesOn ? known.to : Math.round(timeUs) - BEFORE_US;
      if (!mayAsk(from, nowMs)) return null;
      const span = { from, to: Math.round(timeUs) + AFTER_US };
      asked = { ...span, atMs: nowMs, restart: !goesOn, isOver: false };
      return span;
    },
    /** Where a piece of an answer belongs; null: it is no longer awaited. */
    take({ from, to, last }: PastSpan & { last: boolean }): 'restart' | 'on' | null {
      if (asked === null || asked.isOver || asked.from !== from) return null;
      const place = asked.restart ? 'restart' : 'on';
      known = { from: asked.restart || known === null ? from : known.from, to };
      asked = { ...asked, restart: false, isOver: last };
      return place;
    },
  };
}
