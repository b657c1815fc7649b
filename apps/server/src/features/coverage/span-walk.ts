import type { Actor } from '@osprey/contract';
import type { Sighting } from '@osprey/geo';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { prepared } from '../../base/db/prepared.ts';
import type { Database } from '../../base/db/schema.ts';
import { usergroupsOfMarked } from '../../base/items/visibility.ts';
import { packedFootprints, readableSensors } from '../../media/play/covered-minutes.ts';
import { fewReadable, isFew, ownSensors } from './readable.ts';

export const MINUTE_S = 60;
export const MINUTE_US = MINUTE_S * 1e6;
/** Number of minutes whose footprints are read by one query. */
const BATCH = 100;
/** Number of minutes that the first query reads, together with their footprints. */
const FIRST = 256;
/** Maximum number of minutes that one search reads. */
export const MINUTES_MAX = 20_000;

/** One minute of a sensor's clock. `width` is the width of the sensor's picture in pixels, or 0 if unknown. */
export type Minute = { sensorId: string; minute: number; time_shift: number; width: number };
/** Consecutive seconds of a sensor's clock in which the sensor saw a shape. `by` returns the first sighting. */
export type Span = {
  sensorId: string;
  shiftUs: number;
  width: number;
  first: number;
  last: number;
  by: () => Sighting;
};

const startOf = ({ minute, time_shift }: Minute): number => minute * MINUTE_US + time_shift;
export const endOf = (minute: Minute): number => startOf(minute) + MINUTE_US;
export const startOfSpan = ({ first, shiftUs }: Span): number => first * 1e6 + shiftUs;
export const endOfSpan = ({ last, shiftUs }: Span): number => (last + 1) * 1e6 + shiftUs;
export const newestFirst = (a: Span, b: Span): number =>
  endOfSpan(b) - endOfSpan(a) || (a.sensorId < b.sensorId ? -1 : 1);

type Requested = {
  /** Index entries of the shape; a minute in which the sensor may have seen the shape has at least one of them. */
  probes: readonly number[];
  /** Further SQL conditions, given the time at which a minute begins, in UTC microseconds. */
  where: (start: RawBuilder<number>) => readonly RawBuilder<boolean>[];
  limit: number;
};

/** Mission and names of a sensor. `usergroups`: those of its mission, if that is above UNCLASSIFIED. */
export type SensorNames = {
  missionId: string;
  mission: string;
  sensor: string;
  classification: number;
  usergroups: string[];
};

type PackedMinute<Of extends Minute = Minute> = { minute: Of; footprints: Uint8Array };
/** `next`: the first minute after the returned ones; null if there are no more. */
type Walked = { minutes: PackedMinute<Minute & Partial<SensorNames>>[]; next: Minute | null };

/**
 * Yields the minutes, newest first, in which a footprint may intersect a shape, of recordings that the actor may read.
 * For most places the first statement is enough, whose minutes have the names of their sensors. For others, the older
 * minutes are listed once and read in batches, until the caller stops. At most `limit` minutes are read.
 */
export async function* newestMinutes(db: Kysely<Database>, actor: Actor, requested: Requested): AsyncGenerator<Walked> {
  const first = await firstMinutes(db, actor, requested);
  const minutes = first.slice(0, FIRST).map(({ footprints, ...minute }) => ({ minute, footprints }));
  yield { minutes, next: first[FIRST] ?? null };
  if (first.length <= FIRST) return;
  const { minute: last } = minutes[FIRST - 1]!;
  const few = await fewReadable(db, actor, requested.probes);
  const after = (start: RawBuilder<number>): RawBuilder<boolean> =>
    sql`(${start} < ${startOf(last)} or (${start} = ${startOf(last)} and coverage_minutes.sensor_id > ${last.sensorId}))`;
  const older = await prepared(
    db,
    queryOf(db, actor, {
      ...requested,
      few: few && sql`${few}::uuid[]`,
      where: (start) => [...requested.where(start), after(start)],
      // Query one more minute than will be read, to find out whether older ones exist.
      limit: requested.limit - FIRST + 1,
    }),
  );
  for (let at = 0; at < Math.min(older.length, requested.limit - FIRST); at += BATCH) {
    const batch = older.slice(at, Math.min(at + BATCH, requested.limit - FIRST));
    yield { minutes: await packedFootprints(db, actor, batch), next: older[at + batch.length] ?? null };
  }
}

/**
 * Reads the newest minutes in one statement. Where the actor may read only a few sensors, minutes are found by sensor
 * id, otherwise by the index entries of the shape. The part that does not apply ends before it reads a row.
 */
async function firstMinutes(db: Kysely<Database>, actor: Actor, requested: Requested) {
  const partOf = (few: RawBuilder<string[]> | null) =>
    queryOf(db, actor, { ...requested, few, limit: FIRST + 1 })
      .select(['coverage_minutes.footprints', 'missions.id as missionId', 'missions.name as mission'])
      .select(['sensors.name as sensor', 'missions.classification'])
      .select(usergroupsOfMarked.as('usergroups'));
  const bySensor = partOf(sql`array(select id from own where "intersecting")`).where(isFew);
  const byPlace = partOf(null).where(sql<boolean>`not ${isFew}`);
  type Row = Minute & SensorNames & { footprints: Uint8Array };
  const statement = sql<Row>`with ${ownSensors(db, actor, requested.probes)}
    select * from ((${bySensor}) union all (${byPlace})) minutes
    order by minute::bigint * 60000000 + time_shift desc, "sensorId" limit ${FIRST + 1}`;
  return prepared(db, { compile: () => statement.compile(db) });
}

/** `few`: the ids of the sensors to read, as SQL; null: all that the actor may read. */
function queryOf(db: Kysely<Database>, actor: Actor, requested: Requested & { few: RawBuilder<string[]> | null }) {
  const { probes, where, limit, few } = requested;
  const start = sql<number>`(coverage_minutes.minute::bigint * 60000000 + sensors.time_shift)`;
  let query = readableSensors(db, actor)
    .innerJoin('coverage_minutes', 'coverage_minutes.sensor_id', 'sensors.id')
    .select(['coverage_minutes.sensor_id as sensorId', 'coverage_minutes.minute', 'sensors.time_shift'])
    .select(sql<number>`coalesce((sensors.video ->> 'width')::int, 0)`.as('width'))
    .where(sql<boolean>`coverage_minutes.cells && ${probes}::bigint[]`)
    .$if(few !== null, (own) => own.where(sql<boolean>`coverage_minutes.sensor_id = any (${few})`))
    .orderBy(start, 'desc')
    .orderBy('coverage_minutes.sensor_id')
    .limit(limit);
  for (const condition of where(start)) query = query.where(condition);
  return query;
}

/** Returns the seconds of a minute, on the sensor's clock, that lie between two moments. */
export const secondsWithin = (
  { minute, time_shift }: Pick<Minute, 'minute' | 'time_shift'>,
  { fromUs, toUs }: { fromUs: number; toUs: number },
) => ({
  fromSecond: Math.max(minute * MINUTE_S, Math.ceil((fromUs - time_shift) / 1e6)),
  toSecond: Math.min((minute + 1) * MINUTE_S, Math.floor((toUs - time_shift) / 1e6)),
});

type Options = {
  /** Number of spans that the caller needs. */
  limit: number;
  /**
   * Returns whether a span counts. `mayGoOn` is true if the span may begin earlier than is known so far. If omitted,
   * every span counts.
   */
  isRequested?: (span: Span, mayGoOn: boolean) => boolean;
};

/** Joins consecutive seconds, given from the newest to the oldest, into spans. */
export function spanGatherer({ limit, isRequested = () => true }: Options) {
  const open = new Map<string, Span>();
  const done: Span[] = [];

  function finish(span: Span, mayGoOn = false): void {
    open.delete(span.sensorId);
    if (isRequested(span, mayGoOn)) done.push(span);
  }

  return {
    addSecond({ sensorId, time_shift: shiftUs, width }: Minute, second: number, by: () => Sighting): void {
      const span = open.get(sensorId);
      if (span?.first === second + 1) {
        span.first = second;
        span.by = by;
      } else {
        if (span) finish(span);
        open.set(sensorId, { sensorId, shiftUs, width, first: second, last: second, by });
      }
    },

    /**
     * Completes the spans that older minutes can no longer extend: those that begin more than a second after the end of
     * `oldest`.
     */
    finishBefore(oldest: Minute): void {
      for (const span of [...open.values()]) {
        if (startOfSpan(span) > endOf(oldest) + 1e6) finish(span);
      }
    },

    /**
     * Returns whether the newest spans are final: the beginning of each is known, and neither `next` nor any older
     * minute can yield a newer span.
     */
    isSettled(next: Minute): boolean {
      const newest = [...done, ...open.values()].sort(newestFirst).slice(0, limit);
      const last = newest[limit - 1];
      return (
        last !== undefined && endOfSpan(last) > endOf(next) && newest.every((span) => open.get(span.sensorId) !== span)
      );
    },

    /** Completes and returns all spans, the newest first. */
    end({ mayGoOn = false } = {}): Span[] {
      for (const span of [...open.values()]) finish(span, mayGoOn);
      return done.sort(newestFirst);
    },
  };
}
