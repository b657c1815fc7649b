/** Maximum number of seconds out of sight within one hit. After a longer interruption, a new hit begins. */
const GAP_S = 60;

/**
 * A period during which a sensor repeatedly sees the place of a saved search. Times are seconds of the sensor's own
 * clock.
 */
export type HitRun = {
  /** Id of the row; null until it is stored. */
  id: string | null;
  first: number;
  last: number;
  /** Start of the latest unbroken run: every second from here to `last` shows the place. */
  unbroken: number;
  /** Time at which the owner was notified of the hit; null until then. */
  notified: number | null;
  /** True if the place was seen for at least as many consecutive seconds as the search requires. */
  isLong: boolean;
};

/**
 * Adds seconds, in ascending order, to the newest hit if the gap to it is small enough, or else to new hits. Returns
 * the hits that changed.
 */
export function hitsOf(seconds: Iterable<number>, existing: Omit<HitRun, 'isLong'> | null, least: number): HitRun[] {
  const changed: HitRun[] = [];
  let open: HitRun | null = existing && { ...existing, isLong: false };
  for (const second of seconds) {
    if (open === null || second - open.last > GAP_S) {
      open = { id: null, first: second, last: second, unbroken: second, notified: null, isLong: false };
    }
    if (second - open.last > 1) open.unbroken = second;
    open.last = second;
    open.isLong ||= second - open.unbroken + 1 >= least;
    if (changed.at(-1) !== open) changed.push(open);
  }
  return changed;
}
