import { TICKS_PER_SECOND } from '../../onscreen/clock/ticks.ts';
import { ticksSince } from './ticks.ts';

/** The quickest arrival within this span defines live: it was delayed least. Milliseconds. */
const WINDOW_MS = 20_000;

/** Arrivals that differ by more than this belong to a stream that restarted. Milliseconds. */
const ANEW_MS = 5000;

export type LiveEdge = ReturnType<typeof createLiveEdge>;

type Arrival = { atMs: number; leadMs: number };

/**
 * Estimates live from arrivals: the PTS that came last, advanced by this machine's clock. A picture's distance from it
 * is its age, for any clocks of the sender and of the server.
 */
export function createLiveEdge() {
  let first: { ticks: number; atMs: number } | null = null;
  let arrivals: Arrival[] = [];

  /** Milliseconds of the stream since the first arrival, less those of the clock. */
  const leadOf = (ticks: number, atMs: number, from: { ticks: number; atMs: number }) =>
    (ticksSince(from.ticks, ticks) / TICKS_PER_SECOND) * 1000 - (atMs - from.atMs);

  return {
    note(ticks: number, atMs: number) {
      const last = arrivals.at(-1);
      if (first === null || (last && Math.abs(leadOf(ticks, atMs, first) - last.leadMs) > ANEW_MS)) {
        first = { ticks, atMs };
        arrivals = [];
      }
      arrivals.push({ atMs, leadMs: leadOf(ticks, atMs, first) });
      while (arrivals[0] && atMs - arrivals[0].atMs > WINDOW_MS) arrivals.shift();
    },
    /** How long ago this PTS was live; null before anything arrived. Milliseconds, never negative. */
    latencyMs(ticks: number, atMs: number): number | null {
      if (first === null || arrivals.length === 0) return null;
      const edge = arrivals.reduce((most, { leadMs }) => Math.max(most, leadMs), Number.NEGATIVE_INFINITY);
      return Math.max(0, edge - leadOf(ticks, atMs, first));
    },
  };
}
