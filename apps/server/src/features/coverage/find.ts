import { setImmediate as otherWork } from 'node:timers/promises';
import { type Actor, classificationOf, type FindFilter, type FoundSpan, type FoundSpans } from '@osprey/contract';
import { probesOf, type Sighting, secondsWhere, unpackSightings } from '@osprey/geo';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { cursorText, type FindCursor } from './find-cursor.ts';
import { isInDay, isSoughtBy, lookDegOf, middleOf, recordingConditions, withinTimes } from './find-filter.ts';
import { names, rangeOf, unsureSensors, widthOf } from './lookback.ts';
import { fewReadable, readable } from './readable.ts';
import type { Asked } from './sought.ts';

const MINUTE_S = 60;
const MINUTE_US = MINUTE_S * 1e6;
const DAY_US = 86_400_000_000;
/** Minutes whose footprints are read at once. */
const BATCH = 100;
/** Minutes of one page, and how long it is searched for. */
const MINUTES_MAX = 20_000;
const PAGE_MS = 1500;
/** Others wait no longer for the processor. */
const TURN_MS = 20;

export type FindQuery = { asked: Asked; filter: FindFilter; limit: number; after: FindCursor | null; nowUs: number };

type Minute = { sensor_id: string; minute: number; time_shift: number; width: number };
type Span = { sensorId: string; shiftUs: number; width: number; first: number; last: number; by: Sighting };
type Bounds = { fromUs: number; toUs: number };

/** Finds when a shape was seen, in recordings that the actor may read alone: these are chosen before anything is read of them. */
export async function findSpans(db: Kysely<Database>, actor: Actor, query: FindQuery): Promise<FoundSpans> {
  const { asked, filter, limit, after, nowUs } = query;
  const bounds = boundsOf(filter, { after, nowUs });
  const minutes = await minutesOf(db, actor, query, bounds);
  const open = new Map<string, Span>();
  const done: Span[] = [];
  const tests = new Map<number, (sighting: Sighting) => boolean>();
  const turn = turns();
  let at = 0;
  for (; at < minutes.length; at += BATCH) {
    const next = minutes[at]!;
    if (isSettled(next) || (isLate(at) && endOf(next) < bounds.toUs)) break;
    const batch = minutes.slice(at, at + BATCH);
    const read = await footprintsOf(db, actor, batch);
    for (const one of batch) {
      const footprints = read.get(keyOf(one));
      // It was removed, or hidden, between the two questions.
      if (footprints) addMinute(one, unpackSightings(footprints));
      await turn.pause();
    }
    // What ends later than all that is still to come is complete, unless it goes on there.
    const oldest = batch[batch.length - 1]!;
    for (const [sensorId, span] of open) {
      if (startOfSpan(span) > endOf(oldest) + 1e6) finish(sensorId);
    }
  }
  const next = minutes[at];
  const stoppedUs = next !== undefined && !isSettled(next) ? endOf(next) : isCutOff() ? bounds.toUs - 1e6 : null;
  for (const sensorId of [...open.keys()]) finish(sensorId, stoppedUs !== null);
  const page = pageOf(done.sort(newestFirst), { limit, stoppedUs, isMore: next !== undefined });
  const where = [...recordingConditions(filter), ...withinTimes(bounds.fromUs, bounds.toUs)];
  const [spans, unsure] = await Promise.all([
    described(db, actor, page.listed, asked),
    after === null ? unsureSensors(db, actor, where) : null,
  ]);
  return { spans, next: page.cursor && cursorText(page.cursor), searchedTo: page.searchedTo, unsure };

  /** Whether all that was read was looked at, and there is more. */
  function isCutOff(): boolean {
    return next === undefined && minutes.length === MINUTES_MAX + BATCH;
  }

  /** Whether the newest spans are known to their beginnings, and nothing from this minute on can come before one of them. */
  function isSettled(before: Minute): boolean {
    const newest = [...done, ...open.values()].sort(newestFirst).slice(0, limit);
    const last = newest[limit - 1];
    return (
      last !== undefined && endOfSpan(last) > endOf(before) && newest.every((span) => open.get(span.sensorId) !== span)
    );
  }

  function isLate(searched: number): boolean {
    return searched >= MINUTES_MAX || turn.sinceMs() > PAGE_MS;
  }

  function finish(sensorId: string, mayGoOn = false): void {
    const span = open.get(sensorId);
    open.delete(sensorId);
    if (!span || (!mayGoOn && span.last - span.first + 1 < (filter.seconds ?? 1))) return;
    if (after?.kind === 'span' && !isAfter(span, after)) return;
    done.push(span);
  }

  function addMinute({ sensor_id: sensorId, minute, time_shift: shiftUs, width }: Minute, sightings: Sighting[]): void {
    const wanted = {
      fromSecond: Math.max(minute * MINUTE_S, Math.ceil((bounds.fromUs - shiftUs) / 1e6)),
      toSecond: Math.min((minute + 1) * MINUTE_S, Math.floor((bounds.toUs - shiftUs) / 1e6)),
    };
    const isSought = tests.get(width) ?? isSoughtBy(asked, filter, width);
    tests.set(width, isSought);
    for (const { second, by } of secondsWhere(sightings, isSought, wanted).reverse()) {
      if (!isInDay(second * 1e6 + shiftUs, filter.day)) continue;
      const span = open.get(sensorId);
      if (span?.first === second + 1) Object.assign(span, { first: second, by });
      else {
        finish(sensorId);
        open.set(sensorId, { sensorId, shiftUs, width, first: second, last: second, by });
      }
    }
  }
}

/** Gives way to other work in turns, and says how long it has been since it began. */
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

/** Seconds that begin at `fromUs` or later, and end at `toUs` or before. */
function boundsOf(filter: FindFilter, { after, nowUs }: Pick<FindQuery, 'after' | 'nowUs'>): Bounds {
  const fromUs = Math.max(
    filter.from ?? Number.MIN_SAFE_INTEGER,
    filter.days === undefined ? Number.MIN_SAFE_INTEGER : nowUs - filter.days * DAY_US,
  );
  const toUs = filter.to ?? Number.MAX_SAFE_INTEGER;
  if (after === null) return { fromUs, toUs };
  // One second more says whether a span goes on past the one that the page before ended with, and so was in it.
  return { fromUs, toUs: Math.min(toUs, after.kind === 'span' ? after.endUs + 1e6 : after.endUs) };
}

const endOf = ({ minute, time_shift }: Minute): number => (minute + 1) * MINUTE_US + time_shift;
const startOfSpan = ({ first, shiftUs }: Span): number => first * 1e6 + shiftUs;
const endOfSpan = ({ last, shiftUs }: Span): number => (last + 1) * 1e6 + shiftUs;
const newestFirst = (a: Span, b: Span): number => endOfSpan(b) - endOfSpan(a) || (a.sensorId < b.sensorId ? -1 : 1);
const keyOf = ({ sensor_id, minute }: Pick<Minute, 'sensor_id' | 'minute'>): string => `${sensor_id} ${minute}`;

const isAfter = (span: Span, { endUs, sensorId }: { endUs: number; sensorId: string }): boolean =>
  endOfSpan(span) < endUs || (endOfSpan(span) === endUs && span.sensorId > sensorId);

type Stop = { limit: number; stoppedUs: number | null; isMore: boolean };
type Page = { listed: Span[]; cursor: FindCursor | null; searchedTo: number | null };

/**
 * Where the search was stopped for time, spans are not known to their beginnings: the page then ends at a time, at which they
 * are cut, so that the next page finds the rest of them and nothing twice.
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

/** The seconds of a span that end later than a time. */
function cutAt(span: Span, timeUs: number): Span[] {
  const first = Math.max(span.first, Math.floor((timeUs - span.shiftUs) / 1e6));
  return first > span.last ? [] : [{ ...span, first }];
}

/** Minutes in which a footprint may meet the shape, the newest first; one batch more than a page looks at. */
async function minutesOf(
  db: Kysely<Database>,
  actor: Actor,
  { asked, filter }: FindQuery,
  { fromUs, toUs }: Bounds,
): Promise<Minute[]> {
  const probes = probesOf(asked.sought.cells);
  const few = await fewReadable(db, actor, probes);
  if (few?.length === 0) return [];
  const start = sql<number>`(coverage_minutes.minute::bigint * 60000000 + sensors.time_shift)`;
  let query = readable(db, actor)
    .innerJoin('coverage_minutes', 'coverage_minutes.sensor_id', 'sensors.id')
    .select(['coverage_minutes.sensor_id', 'coverage_minutes.minute', 'sensors.time_shift'])
    .select(sql<number>`coalesce((sensors.video ->> 'width')::int, 0)`.as('width'))
    .where(sql<boolean>`coverage_minutes.cells && ${probes}::bigint[]`)
    .$if(few !== null, (own) => own.where('coverage_minutes.sensor_id', 'in', few ?? []))
    .where(start, '<', toUs)
    .where(start, '>', fromUs - MINUTE_US)
    .orderBy(start, 'desc')
    .orderBy('coverage_minutes.sensor_id')
    .limit(MINUTES_MAX + BATCH);
  for (const one of recordingConditions(filter)) query = query.where(one);
  return query.execute();
}

async function footprintsOf(
  db: Kysely<Database>,
  actor: Actor,
  minutes: readonly Minute[],
): Promise<Map<string, Buffer>> {
  const [ids, numbers] = [minutes.map(({ sensor_id }) => sensor_id), minutes.map(({ minute }) => minute)];
  const rows = await readable(db, actor)
    .innerJoin('coverage_minutes', 'coverage_minutes.sensor_id', 'sensors.id')
    .select(['coverage_minutes.sensor_id', 'coverage_minutes.minute', 'coverage_minutes.footprints'])
    .where(
      sql<boolean>`(coverage_minutes.sensor_id, coverage_minutes.minute) in (
        select * from unnest(${ids}::uuid[], ${numbers}::int[]))`,
    )
    .execute();
  return new Map(rows.map((row) => [keyOf(row), row.footprints]));
}

async function described(
  db: Kysely<Database>,
  actor: Actor,
  spans: readonly Span[],
  { sought, isPlace }: Asked,
): Promise<FoundSpan[]> {
  const ids = [...new Set(spans.map(({ sensorId }) => sensorId))];
  if (ids.length === 0) return [];
  const rows = await readable(db, actor)
    .select([...names, 'missions.platform_name as platform', 'missions.classification', 'missions.marked'])
    .where('sensors.id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.sensorId, row]));
  return spans.flatMap((span) => {
    const known = byId.get(span.sensorId);
    if (!known) return [];
    const { classification, ...row } = known;
    const { by, width, first, shiftUs } = span;
    return [
      {
        ...row,
        securityClassification: classificationOf(classification),
        from: startOfSpan(span),
        to: endOfSpan(span),
        first: Math.max(by.timeUs, first * 1e6) + shiftUs,
        // To an area there is no one distance: that to what is looked at stands for it.
        distanceM: rangeOf(by, isPlace ? sought.middle : middleOf(by.corners)),
        resolutionM: width > 0 ? widthOf(by) / width : null,
        corners: by.corners.map(([lon, lat]): [number, number] => [lon, lat]),
        lookDeg: lookDegOf(by),
      },
    ];
  });
}
