import type { TelemetryPage, TelemetrySet } from '@osprey/contract';

/** Duration of the recording covered by one page, in microseconds. */
export const PAGE_US = 60_000_000;

/** Returns the number of the page that contains this moment. */
export const minuteOf = (timeUs: number) => Math.floor(timeUs / PAGE_US);

type Span = { from: number; to: number };

const SECOND_US = 1_000_000;

const minuteSpan = (minute: number): Span => ({ from: minute * PAGE_US, to: (minute + 1) * PAGE_US });

/**
 * Returns the part of the minute around a moment to request first, so that the first picture need not wait for the
 * rest.
 */
export function firstSpan(timeUs: number): Span {
  const { from, to } = minuteSpan(minuteOf(timeUs));
  const second = Math.floor(timeUs / SECOND_US) * SECOND_US;
  return { from: Math.max(from, second - SECOND_US), to: Math.min(to, second + 5 * SECOND_US) };
}

/** Maximum number of pages kept; an hour of 10 Hz telemetry takes about 10 MB. */
const PAGES_MAX = 60;

/**
 * Tolerance in microseconds. PTS counts 90 kHz ticks and anchors are rounded to microseconds, so that a record of
 * exactly this frame may appear to be this much later.
 */
export const SAME_INSTANT_US = 1000;

/** Time after which a failed page is requested again, in milliseconds. */
const RETRY_MS = 5000;

/** Reference to one record in the columns of a page. */
export type TelemetryRecord = { page: TelemetryPage; index: number; timeUs: number };

export type TagValue = number | string | null;

type Deps = {
  sensorId: string;
  startUs: number;
  endUs: number;
  /** Fetches the records from `from` up to but not including `to`. */
  fetchPage: (from: number, to: number) => Promise<TelemetryPage>;
  /** Fetches the bytes of the set at this time. */
  fetchSet: (timeUs: number) => Promise<TelemetrySet>;
  /** Called when more data, or a failure, has become known. */
  onChange: () => void;
  now: () => number;
};

type Slot = {
  page: TelemetryPage | null;
  /** Loaded and requested part of the minute. In the first minute, a part is loaded before the whole. */
  span: Span;
  asked: Span;
  failedAt: number | null;
  last: number;
  settled: Promise<void>;
};

/** Data about the sets of a recording in addition to their values; live sets have none. */
export type RecordedSets = {
  /** Returns the times of sets in the span, both ends included, whose checksum failed. */
  failedBetween: (fromUs: number, toUs: number) => number[];
  readSet: (timeUs: number) => Promise<TelemetrySet>;
};

/** Telemetry of one sensor. Live telemetry has no `recorded` data and no pages to fetch. */
export type TelemetryStore = Omit<ReturnType<typeof createTelemetryStore>, 'recorded' | 'pageAt'> & {
  recorded?: RecordedSets;
};

/**
 * Holds the telemetry of one sensor around the moment on screen, minute by minute. A search continues forward from
 * where the last one ended.
 */
export function createTelemetryStore({ sensorId, startUs, endUs, fetchPage, fetchSet, onChange, now }: Deps) {
  const slots = new Map<number, Slot>();
  let stopped = false;

  function load(minute: number, span = minuteSpan(minute)) {
    const complete = minuteSpan(minute);
    if (complete.to <= startUs || complete.from > endUs) return;
    const existing = slots.get(minute);
    const isAsked = existing && existing.asked.from <= span.from && existing.asked.to >= span.to;
    if (isAsked && (existing.failedAt === null || now() - existing.failedAt < RETRY_MS)) return;
    const slot: Slot = existing ?? {
      page: null,
      span,
      asked: span,
      failedAt: null,
      last: 0,
      settled: Promise.resolve(),
    };
    slots.set(minute, slot);
    forgetOldest();
    slot.asked = span;
    slot.failedAt = null;
    slot.settled = fill(slot, span);
  }

  async function fill(slot: Slot, span: Span) {
    try {
      const page = await fetchPage(span.from, span.to);
      // A larger part of the minute was requested meanwhile, so this answer is outdated.
      if (slot.asked !== span) return;
      slot.page = page;
      slot.span = span;
      slot.last = 0;
    } catch {
      if (slot.asked !== span) return;
      slot.failedAt = now();
    }
    if (!stopped) onChange();
  }

  /** Returns the slot of a moment, if its page extends to that moment. */
  function slotAt(timeUs: number): Slot | null {
    const slot = slots.get(minuteOf(timeUs));
    return slot?.page && timeUs >= slot.span.from && timeUs < slot.span.to ? slot : null;
  }

  /** Resolves with the page that contains a moment, once it is loaded; null if it cannot be loaded. */
  async function pageAt(timeUs: number): Promise<TelemetryPage | null> {
    load(minuteOf(timeUs));
    const slot = slots.get(minuteOf(timeUs));
    await slot?.settled;
    return slot?.failedAt === null ? slot.page : null;
  }

  function forgetOldest() {
    const oldest = slots.keys().next();
    if (slots.size > PAGES_MAX && !oldest.done) slots.delete(oldest.value);
  }

  /** Finds the last record at or before the moment within one page, starting where the last search ended. */
  function search(slot: Slot, timeUs: number): number {
    const times = slot.page?.time ?? [];
    let at = slot.last;
    if (at >= times.length || times[at]! > timeUs) at = lastAtOrBefore(times, timeUs);
    while (at + 1 < times.length && times[at + 1]! <= timeUs) at += 1;
    slot.last = Math.max(at, 0);
    return at;
  }

  function recordAt(timeUs: number): TelemetryRecord | null {
    const until = timeUs + SAME_INSTANT_US;
    const slot = slotAt(until);
    if (slot === null) return null;
    return recordIn(slot, until) ?? recordIn(beginsWithMinute(slot) ? slotAt(slot.span.from - 1) : null, until);
  }

  function recordIn(slot: Slot | null, until: number): TelemetryRecord | null {
    if (!slot?.page) return null;
    const index = search(slot, until);
    return index < 0 ? null : { page: slot.page, index, timeUs: slot.page.time[index]! };
  }

  const recorded: RecordedSets = {
    failedBetween(fromUs, toUs) {
      const found: number[] = [];
      for (let minute = minuteOf(fromUs); minute <= minuteOf(toUs); minute += 1) {
        for (const timeUs of slots.get(minute)?.page?.failed ?? []) {
          if (timeUs >= fromUs && timeUs <= toUs) found.push(timeUs);
        }
      }
      return found;
    },
    readSet: fetchSet,
  };

  return {
    sensorId,
    recorded,
    /**
     * Fetches the data needed around this moment: on the first call its first seconds, then its whole minute; once that
     * is loaded, the minute before (for trail and last known values) and the next.
     */
    ensure(timeUs: number) {
      const minute = minuteOf(timeUs);
      const slot = slots.get(minute);
      if (slots.size === 0) load(minute, firstSpan(timeUs));
      else if (!slot || !isComing(slot, timeUs)) load(minute);
      if (!slot?.page || !isComplete(slot)) return;
      load(minute - 1);
      load(minute + 1);
    },
    recordAt,
    pageAt,
    hasFailed: (timeUs: number) => slotAt(timeUs) === null && slots.get(minuteOf(timeUs))?.failedAt != null,
    isLoading: (timeUs: number) => slotAt(timeUs) === null && slots.get(minuteOf(timeUs))?.failedAt === null,
    /**
     * Returns the record's own value of a tag, or the last one sent before it, with its time; null if there is none.
     */
    lastKnown(record: TelemetryRecord, tag: string): { value: number | string; timeUs: number } | null {
      const here = lastValue(record.page, tag, record.index);
      if (here) return here;
      const slot = slots.get(minuteOf(record.timeUs));
      const before = slot && beginsWithMinute(slot) ? slots.get(minuteOf(record.timeUs) - 1)?.page : null;
      return before ? lastValue(before, tag, before.time.length - 1) : null;
    },
    /** Yields every loaded record in the span, oldest first. */
    *between(fromUs: number, toUs: number): Generator<TelemetryRecord> {
      for (let minute = minuteOf(fromUs); minute <= minuteOf(toUs); minute += 1) {
        const page = slots.get(minute)?.page;
        if (page) yield* recordsOf(page, fromUs, toUs);
      }
    },
    stop() {
      stopped = true;
    },
  };
}

const isComing = ({ page, asked, failedAt }: Slot, timeUs: number): boolean =>
  page === null && failedAt === null && timeUs >= asked.from && timeUs < asked.to;
const beginsWithMinute = ({ span }: Slot): boolean => span.from % PAGE_US === 0;
const isComplete = ({ span }: Slot): boolean => span.to - span.from === PAGE_US;

/** Yields the records of one page in the span, oldest first. */
export function* recordsOf(page: TelemetryPage, fromUs: number, toUs: number): Generator<TelemetryRecord> {
  for (let index = lastAtOrBefore(page.time, fromUs - 1) + 1; index < page.time.length; index += 1) {
    const timeUs = page.time[index]!;
    if (timeUs > toUs) return;
    yield { page, index, timeUs };
  }
}

/** The value of a tag in one record. */
export function valueAt(record: TelemetryRecord, tag: string): TagValue {
  return record.page.tags[tag]?.[record.index] ?? null;
}

/** Returns all values of one record by tag, as the geometry needs them. */
export function valuesOf(record: TelemetryRecord): Record<string, TagValue> {
  return Object.fromEntries(
    Object.entries(record.page.tags).map(([tag, column]) => [tag, column[record.index] ?? null]),
  );
}

/** Returns a nested set of the record; null if it has none. */
export function setOf(record: TelemetryRecord, tag: string): unknown {
  const { sets } = record.page;
  const at = lastIndex(sets.length, (index) => sets[index]!.i <= record.index);
  const found = sets[at];
  return found?.i === record.index ? (found[tag] ?? null) : null;
}

/** Yields this record and those before it in its page that are at most `ageUs` older, newest first. */
export function* recent(record: TelemetryRecord, ageUs: number): Generator<TelemetryRecord> {
  const { page } = record;
  for (let index = record.index; index >= 0; index -= 1) {
    const timeUs = page.time[index]!;
    if (record.timeUs - timeUs > ageUs) return;
    yield { page, index, timeUs };
  }
}

/** Returns the last value of a tag in a page, at or before this record; null if there is none. */
export function lastValue(
  page: TelemetryPage,
  tag: string,
  from: number,
): { value: number | string; timeUs: number } | null {
  const column = page.tags[tag];
  if (!column) return null;
  for (let index = from; index >= 0; index -= 1) {
    const value = column[index];
    if (value !== null && value !== undefined) return { value, timeUs: page.time[index]! };
  }
  return null;
}

/** Joins pages that were split at the server's limit. */
export function joinPages(pages: readonly TelemetryPage[]): TelemetryPage {
  const [first] = pages;
  if (!first || pages.length === 1) return first!;
  const tags = [...new Set(pages.flatMap((page) => Object.keys(page.tags)))];
  const offsets = pages.map((_, at) => pages.slice(0, at).reduce((sum, page) => sum + page.time.length, 0));
  return {
    ...first,
    to: pages.at(-1)!.to,
    more: false,
    time: pages.flatMap((page) => page.time),
    tags: Object.fromEntries(
      tags.map((tag) => [tag, pages.flatMap((page) => page.tags[tag] ?? page.time.map(() => null))]),
    ),
    sets: pages.flatMap((page, at) => page.sets.map((set) => ({ ...set, i: set.i + offsets[at]! }))),
    failed: pages.flatMap((page) => page.failed ?? []),
  };
}

/** Returns the last index whose time is not after the moment; -1 if all are after it. */
export const lastAtOrBefore = (times: readonly number[], timeUs: number) =>
  lastIndex(times.length, (index) => times[index]! <= timeUs);

/** Returns the last index for which `holds` is true; it must be true for all indexes before it. -1 if there is none. */
function lastIndex(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
