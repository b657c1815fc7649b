import { TICKS_PER_SECOND } from '../../onscreen/clock/ticks.ts';
import { ticksSince } from './ticks.ts';

/** Period in milliseconds within which the arrival with the least delay defines live. */
const WINDOW_MS = 20_000;

/** Minimum deviation of an arrival, in milliseconds, which means that the stream has restarted. */
const ANEW_MS = 5000;

export type LiveEdge = ReturnType<typeof createLiveEdge>;

type Arrival = { atMs: number; leadMs: number };

/**
 * Estimates the live position from arrivals: the PTS of the arrival with the least delay, advanced by this machine's
 * clock. The age of a picture is its distance from this position, which does not depend on the clocks of the sender or
 * the server.
 */
export function createLiveEdge() {
  let first: { ticks: number; atMs: number } | null = null;
  let arrivals: Arrival[] = [];

  /**
   * Returns how many milliseconds the stream has advanced since the first arrival, minus those by which the clock has
   * advanced.
   */
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
    /** Returns how long ago this PTS was live, in milliseconds (never negative); null before anything has arrived. */
    latencyMs(ticks: number, atMs: number): number | null {
      if (first === null || arrivals.length === 0) return null;
      const edge = arrivals.reduce((most, { leadMs }) => Math.max(most, leadMs), Number.NEGATIVE_INFINITY);
      return Math.max(0, edge - leadOf(ticks, atMs, first));
    },
  };
}
