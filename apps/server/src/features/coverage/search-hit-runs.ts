/** Seconds out of sight up to which a place stays in the same hit. */
const GAP_S = 60;

/** A stretch of time in which a sensor sees a place again and again; seconds of the sensor's own clock. */
export type HitRun = {
  /** Id of the row; null before it is stored. */
  id: string | null;
  first: number;
  last: number;
  /** Start of the latest unbroken run: every second from here to `last` shows the place. */
  unbroken: number;
  /** When the owner was notified of the hit; null before. */
  notified: number | null;
  /** True if the hit lasts as many seconds in a row as the search asks for. */
  isLong: boolean;
};

/** Adds seconds, in their order, to the newest hit or to hits of their own. Returns those that changed. */
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
