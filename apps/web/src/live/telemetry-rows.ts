import type { LiveSocketMessage, TelemetryPage } from '@osprey/contract';
import { TICKS_PER_SECOND } from '../onscreen/clock/ticks.ts';
import { lastAtOrBefore, recordsOf, type TelemetryRecord } from '../onscreen/telemetry-store.ts';
import { ticksSince } from './clock/ticks.ts';

/** Some minutes at 10 Hz: enough for a picture that was paused or wound back. */
const RECORDS_MAX = 12_000;
/** Records that are dropped at a time, so that it does not cost with each record. */
const FORGOTTEN = 3000;

/** Media times are rounded: a record of the very picture may seem to be this much later. 1 ms. */
const SAME_TICKS = 90;

/** A record that is older than this does not say what time a picture has. */
const FAR_TICKS = 60 * TICKS_PER_SECOND;

/** A stream that steps back by more than this has restarted: earlier records are of another run of its clock. */
const ANEW_TICKS = TICKS_PER_SECOND;

/** One set of a live sensor, as the socket sends it. */
export type LiveSet = Extract<LiveSocketMessage, { kind: 'past' }>['rows'][number];

/** A record that belongs to a picture, and the UTC of the picture derived from it. */
export type FoundRecord = { record: TelemetryRecord; timeUs: number };

/** Sets of one sensor in the order in which they came, found by the PTS of a picture. */
export function createTelemetryRows(sensor: string) {
  let page: TelemetryPage = { sensor, from: 0, to: 0, more: false, time: [], tags: {}, sets: [] };
  let pts: number[] = [];
  /** Where each run of the stream's clock begins. */
  let runs: number[] = [];

  /** Columns are shared with the page before; another page object shows components that there is a new tag. */
  function columnsFor(tags: readonly string[]) {
    const missing = tags.filter((tag) => !(tag in page.tags));
    if (missing.length === 0) return;
    const columns = Object.fromEntries(missing.map((tag) => [tag, page.time.map(() => null)]));
    page = { ...page, tags: { ...page.tags, ...columns } };
  }

  function forgetOldest() {
    if (page.time.length < RECORDS_MAX) return;
    const cut = <Value>(column: readonly Value[]) => column.slice(FORGOTTEN);
    page = {
      ...page,
      time: cut(page.time),
      tags: Object.fromEntries(Object.entries(page.tags).map(([tag, column]) => [tag, cut(column)])),
      sets: page.sets.filter(({ i }) => i >= FORGOTTEN).map((set) => ({ ...set, i: set.i - FORGOTTEN })),
    };
    pts = cut(pts);
    runs = runs.map((start) => Math.max(0, start - FORGOTTEN)).filter((start, at, all) => start !== all[at + 1]);
  }

  /** The last record of a run at or before the picture. */
  function lastInRun(from: number, to: number, ticks: number): number {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ticksSince(pts[middle]!, ticks) >= -SAME_TICKS) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  function at(ticks: number): FoundRecord | null {
    let best: { index: number; ageTicks: number } | null = null;
    runs.forEach((from, run) => {
      const index = lastInRun(from, runs[run + 1] ?? pts.length, ticks);
      if (index < from) return;
      const ageTicks = Math.max(0, ticksSince(pts[index]!, ticks));
      if (ageTicks < (best?.ageTicks ?? FAR_TICKS)) best = { index, ageTicks };
    });
    if (best === null) return null;
    const { index, ageTicks } = best as { index: number; ageTicks: number };
    const timeUs = page.time[index]!;
    return { record: { page, index, timeUs }, timeUs: Math.round(timeUs + (ageTicks / TICKS_PER_SECOND) * 1e6) };
  }

  return {
    add({ pts: ticks, time, tags, sets }: LiveSet) {
      forgetOldest();
      const previous = pts.at(-1);
      const step = previous === undefined ? 0 : ticksSince(previous, ticks);
      if (previous === undefined || step < -ANEW_TICKS || step > FAR_TICKS) runs.push(pts.length);
      columnsFor(Object.keys(tags));
      const index = page.time.length;
      // Within a run times only grow, so that they can be searched.
      const isBack = previous !== undefined && step < 0 && step >= -ANEW_TICKS;
      pts.push(isBack ? previous : ticks);
      page.time.push(time);
      for (const [tag, column] of Object.entries(page.tags)) column.push(tags[tag] ?? null);
      if (sets !== null) page.sets.push({ ...sets, i: index });
    },
    /** The last record at or before a picture; null where none is near. */
    at,
    recordAt(timeUs: number): TelemetryRecord | null {
      const index = lastAtOrBefore(page.time, timeUs);
      return index < 0 ? null : { page, index, timeUs: page.time[index]! };
    },
    between: (fromUs: number, toUs: number) => recordsOf(page, fromUs, toUs),
    /** Time of its first record; null before there is one. */
    beginsUs: (): number | null => page.time[0] ?? null,
  };
}
