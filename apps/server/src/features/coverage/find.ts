import { setImmediate as otherWork } from 'node:timers/promises';
import {
  type Actor,
  type Classification,
  classificationOf,
  FIND_COUNT_MAX,
  type FindFilter,
  type FoundSpan,
  type FoundSpans,
} from '@osprey/contract';
import { probesOf } from '@osprey/geo';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { readableSensors } from '../../media/play/covered-minutes.ts';
import { cursorText, type FindCursor } from './find-cursor.ts';
import { isInDay, lookDegOf, middleOf, recordingConditions, secondsMatching, withinTimes } from './find-filter.ts';
import { labelledNames, rangeOf, unsureSensors, widthOf } from './lookback.ts';
import {
  endOf,
  endOfSpan,
  MINUTE_US,
  MINUTES_MAX,
  type Minute,
  newestMinutes,
  type Span,
  secondsWithin,
  spanGatherer,
  startOfSpan,
} from './span-walk.ts';
import type { Asked } from './target.ts';

const DAY_US = 86_400_000_000;
/** Maximum time spent searching for a page, in milliseconds. */
const PAGE_MS = 1500;
/** Maximum time spent counting spans, in milliseconds. */
const COUNT_MS = 900;
/** Maximum time for which the search occupies the processor before it yields to other work, in milliseconds. */
const TURN_MS = 20;

export type FindQuery = { asked: Asked; filter: FindFilter; limit: number; after: FindCursor | null; nowUs: number };

type Bounds = { fromUs: number; toUs: number };

/**
 * Finds the times at which a shape was in view. Recordings that the actor may not read are left out before anything is
 * read of them.
 */
export async function findSpans(db: Kysely<Database>, actor: Actor, query: FindQuery): Promise<FoundSpans> {
  const { asked, filter, limit, after } = query;
  const bounds = boundsOf(filter, query);
  const where = [...recordingConditions(filter), ...withinTimes(bounds.fromUs, bounds.toUs)];
  // Both queries run concurrently, since the one for recordings that could not be searched covers all recordings.
  const [{ spans: found, stoppedUs, isMore }, unsure] = await Promise.all([
    search(db, actor, query, PAGE_MS),
    after === null ? unsureSensors(db, actor, where) : null,
  ]);
  const page = pageOf(found, { limit, stoppedUs, isMore });
  const spans = await describe(db, actor, page.listed, asked);
  return { spans, next: page.cursor && cursorText(page.cursor), searchedTo: page.searchedTo, unsure };
}

export type Counted = {
  count: number;
  /** True if counting stopped at the limit, so that there may be more spans. */
  isMore: boolean;
  /** Missions whose spans were counted, with their labels. */
  missions: { id: string; label: Classification }[];
};

/** Counts the spans that match. */
export async function countSpans(
  db: Kysely<Database>,
  actor: Actor,
  query: Omit<FindQuery, 'limit' | 'after'>,
): Promise<Counted> {
  const limit = FIND_COUNT_MAX;
  const { spans, stoppedUs, isMore } = await search(db, actor, { ...query, limit, after: null }, COUNT_MS);
  const sensors = [...new Set(spans.map(({ sensorId }) => sensorId))];
  const rows = await readableSensors(db, actor)
    .select(['missions.id', 'missions.classification'])
    .distinct()
    .where(sql<boolean>`sensors.id = any (${sensors}::uuid[])`)
    .execute();
  return {
    count: Math.min(spans.length, limit),
    isMore: isMore || stoppedUs !== null || spans.length > limit,
    missions: rows.map(({ id, classification }) => ({ id, label: classificationOf(classification) })),
  };
}

type Searched = {
  /** The spans found, the newest first. */
  spans: Span[];
  /**
   * Time at which the search stopped because of its limit; everything that ends later was searched. Null if it did not
   * stop.
   */
  stoppedUs: number | null;
  /** True if some recordings were not searched. */
  isMore: boolean;
};

/** Walks back in time until the requested number of spans is found or the time limit is reached. */
async function search(
  db: Kysely<Database>,
  actor: Actor,
  { asked, filter, limit, after, nowUs }: FindQuery,
  mostMs: number,
): Promise<Searched> {
  const bounds = boundsOf(filter, { after, nowUs });
  const turn = turns();
  const spans = spanGatherer({ limit, isRequested });
  const secondsOf = secondsMatching(asked, filter);
  const walk = newestMinutes(db, actor, {
    probes: probesOf(asked.target.cells),
    where: (start) => [
      sql`${start} < ${bounds.toUs}`,
      sql`${start} > ${bounds.fromUs - MINUTE_US}`,
      ...recordingConditions(filter),
    ],
    limit: MINUTES_MAX,
  });
  let next: Minute | null = null;
  for await (const { minutes, next: following } of walk) {
    next = following;
    for (const { minute, footprints } of minutes) {
      addMinute(minute, footprints);
      await turn.pause();
    }
    const last = minutes[minutes.length - 1];
    if (last) spans.finishBefore(last.minute);
    if (next === null || spans.isSettled(next) || (turn.sinceMs() > mostMs && endOf(next) < bounds.toUs)) break;
  }
  const stoppedUs = next === null || spans.isSettled(next) ? null : goesOnAt(endOf(next));
  return { spans: spans.end({ mayGoOn: stoppedUs !== null }), stoppedUs, isMore: next !== null };

  /**
   * Returns the time at which the next page ends. It must be earlier than the end of this page, so that the search
   * makes progress.
   */
  function goesOnAt(endUs: number): number {
    return endUs < bounds.toUs ? endUs : bounds.toUs - 1e6;
  }

  function isRequested(span: Span, mayGoOn: boolean): boolean {
    if (!mayGoOn && span.last - span.first + 1 < (filter.seconds ?? 1)) return false;
    return after?.kind !== 'span' || isAfter(span, after);
  }

  function addMinute(minute: Minute, footprints: Uint8Array): void {
    const { width, time_shift: shiftUs } = minute;
    for (const { second, by } of secondsOf(footprints, width, secondsWithin(minute, bounds)).reverse()) {
      if (isInDay(second * 1e6 + shiftUs, filter.day)) spans.addSecond(minute, second, by);
    }
  }
}

/** Yields the processor to other work at intervals, and measures the time since the search began. */
function turns() {
  const startedMs = performance.now();
  let turnMs = startedMs;
  return {
    sinceMs: () => performance.now() - startedMs,
    async pause(): Promise<void> {
      if (performance.now() - turnMs < TURN_MS) return;
      await otherWork();
      turnMs = performance.now();
    },
  };
}

/** Returns the bounds of the search: it covers seconds that begin at `fromUs` or later and end at `toUs` or before. */
export function boundsOf(filter: FindFilter, { after, nowUs }: Pick<FindQuery, 'after' | 'nowUs'>): Bounds {
  const fromUs = Math.max(
    filter.from ?? Number.MIN_SAFE_INTEGER,
    filter.days === undefined ? Number.MIN_SAFE_INTEGER : nowUs - filter.days * DAY_US,
  );
  const toUs = filter.to ?? Number.MAX_SAFE_INTEGER;
  if (after === null) return { fromUs, toUs };
  // One additional second shows whether a span continues past the last one of the previous page and was therefore
  // already listed there.
  return { fromUs, toUs: Math.min(toUs, after.kind === 'span' ? after.endUs + 1e6 : after.endUs) };
}

const isAfter = (span: Span, { endUs, sensorId }: { endUs: number; sensorId: string }): boolean =>
  endOfSpan(span) < endUs || (endOfSpan(span) === endUs && span.sensorId > sensorId);

type Stop = { limit: number; stoppedUs: number | null; isMore: boolean };
type Page = { listed: Span[]; cursor: FindCursor | null; searchedTo: number | null };

/**
 * Builds a page. If the search stopped at its time limit, the beginnings of some spans are unknown. The page then ends
 * at a time at which spans are cut, so that the next page finds their remaining parts and lists nothing twice.
 */
function pageOf(spans: readonly Span[], { limit, stoppedUs, isMore }: Stop): Page {
  const first = spans[0];
  const surplus = spans[limit];
  if (stoppedUs !== null) {
    const isFull = first !== undefined && surplus !== undefined && endOfSpan(surplus) < endOfSpan(first);
    const searchedTo = isFull ? Math.max(stoppedUs, endOfSpan(surplus)) : stoppedUs;
    const listed = spans.flatMap((span) => cutAt(span, searchedTo));
    return { listed, cursor: { kind: 'time', endUs: searchedTo }, searchedTo };
  }
  const listed = spans.slice(0, limit);
  const last = listed[listed.length - 1];
  if (!last || !(surplus || isMore)) return { listed, cursor: null, searchedTo: null };
  const cursor: FindCursor = { kind: 'span', endUs: endOfSpan(last), sensorId: last.sensorId };
  return { listed, cursor, searchedTo: endOfSpan(last) };
}

/** Returns the part of a span that ends later than the given time. */
function cutAt(span: Span, timeUs: number): Span[] {
  const first = Math.max(span.first, Math.floor((timeUs - span.shiftUs) / 1e6));
  return first > span.last ? [] : [{ ...span, first }];
}

async function describe(
  db: Kysely<Database>,
  actor: Actor,
  spans: readonly Span[],
  { target, isPlace }: Asked,
): Promise<FoundSpan[]> {
  const ids = [...new Set(spans.map(({ sensorId }) => sensorId))];
  if (ids.length === 0) return [];
  const rows = await readableSensors(db, actor).select(labelledNames).where('sensors.id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.sensorId, row]));
  return spans.flatMap((span) => {
    const existing = byId.get(span.sensorId);
    if (!existing) return [];
    const { classification, ...row } = existing;
    const { width, first, shiftUs } = span;
    const by = span.by();
    return [
      {
        ...row,
        securityClassification: classificationOf(classification),
        from: startOfSpan(span),
        to: endOfSpan(span),
        first: Math.max(by.timeUs, first * 1e6) + shiftUs,
        // For an area, the distance to the middle of the footprint is used, since an area has no single distance.
        distanceM: rangeOf(by, isPlace ? target.middle : middleOf(by.corners)),
        resolutionM: width > 0 ? widthOf(by) / width : null,
        corners: by.corners.map(([lon, lat]): [number, number] => [lon, lat]),
        lookDeg: lookDegOf(by),
        ...(by.approximate && { approximate: true as const }),
      },
    ];
  });
}
