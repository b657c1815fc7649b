import type { LiveSocketMessage, TelemetryPage } from '@osprey/contract';
import { TICKS_PER_SECOND } from '../onscreen/clock/ticks.ts';
import { lastAtOrBefore, recordsOf, type TelemetryRecord } from '../onscreen/telemetry-store.ts';
import { ticksSince } from './clock/ticks.ts';

/** Maximum number of records: some minutes at 10 Hz, enough for a picture that was paused or rewound. */
const RECORDS_MAX = 12_000;
/** Number of records that are dropped at a time, so that the cost does not arise with each record. */
const FORGOTTEN = 3000;

/**
 * Tolerance in ticks (1 ms): media times are rounded, so the record of the same picture may appear to be slightly
 * later.
 */
const SAME_TICKS = 90;

/** Maximum age of a record, in ticks, from which the time of a picture can be derived. */
const FAR_TICKS = 60 * TICKS_PER_SECOND;

/**
 * Minimum step back of the PTS, in ticks, which means that the stream has restarted; earlier records then belong to
 * another run of its clock.
 */
const ANEW_TICKS = TICKS_PER_SECOND;

/** One set of a live sensor, in the form in which the socket sends it. */
export type LiveSet = Extract<LiveSocketMessage, { kind: 'past' }>['rows'][number];

/** A record that belongs to a picture, and the UTC time of the picture derived from it. */
export type FoundRecord = { record: TelemetryRecord; timeUs: number };

/** Stores the sets of one sensor in the order of arrival, and finds them by the PTS of a picture. */
export function createTelemetryRows(sensor: string) {
  let page: TelemetryPage = { sensor, from: 0, to: 0, more: false, time: [], tags: {}, sets: [] };
  let pts: number[] = [];
  /** Index at which each run of the stream's clock begins. */
  let runs: number[] = [];

  /**
   * Adds columns for new tags. The old columns are shared with the previous page; a new page object shows components
   * that there is a new tag.
   */
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

  /** Returns the index of the last record of a run at or before the picture. */
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
      // Within a run the stored PTS never decrease, so that a binary search is possible.
      const isBack = previous !== undefined && step < 0 && step >= -ANEW_TICKS;
      pts.push(isBack ? previous : ticks);
      page.time.push(time);
      for (const [tag, column] of Object.entries(page.tags)) column.push(tags[tag] ?? null);
      if (sets !== null) page.sets.push({ ...sets, i: index });
    },
    /** Returns the last record at or before a picture; null if none is near. */
    at,
    recordAt(timeUs: number): TelemetryRecord | null {
      const index = lastAtOrBefore(page.time, timeUs);
      return index < 0 ? null : { page, index, timeUs: page.time[index]! };
    },
    between: (fromUs: number, toUs: number) => recordsOf(page, fromUs, toUs),
    /** Returns the time of the first record; null before there is one. */
    beginsUs: (): number | null => page.time[0] ?? null,
  };
}
