import { type Actor, LOOKBACK_NAMED_MAX, type Lookback, type LookbackSpan } from '@osprey/contract';
import {
  cellsOf,
  distanceM,
  fromEcef,
  probesOf,
  type Sighting,
  secondsSeen,
  toEcef,
  unpackSightings,
} from '@osprey/geo';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import type { AskedShape } from './asked-shape.ts';
import { fewReadable, readable } from './readable.ts';

const MINUTE_S = 60;
/** Minutes whose footprints are read at once. */
const BATCH = 100;
/** Minutes that one question looks at; there are older ones then. */
const MINUTES_MAX = 20_000;
/** A recording that grows is in the answers at most so far behind live. */
const BEHIND_US = 5_000_000;

export type LookbackQuery = { asked: AskedShape; fromUs: number; toUs: number; limit: number };

type Minute = { sensor_id: string; minute: number; time_shift: number };
type Span = { sensorId: string; shiftUs: number; first: number; last: number; by: Sighting };

/** Answers when a place was seen, of recordings that the actor may read alone: these are chosen before anything is read of them. */
export async function lookBack(
  db: Kysely<Database>,
  actor: Actor,
  { asked, fromUs, toUs, limit }: LookbackQuery,
): Promise<Lookback> {
  const minutes = await minutesOf(db, actor, { asked, fromUs, toUs });
  const open = new Map<string, Span>();
  const done: Span[] = [];
  let at = 0;
  for (; at < Math.min(minutes.length, MINUTES_MAX); at += BATCH) {
    if (isSettled(minutes[at]!)) break;
    const batch = minutes.slice(at, Math.min(at + BATCH, MINUTES_MAX));
    const read = await footprintsOf(db, actor, batch);
    for (const one of batch) {
      const footprints = read.get(keyOf(one));
      // It was removed, or hidden, between the two questions.
      if (footprints) addMinute(one, unpackSightings(footprints));
    }
    // What ends later than all that is still to come is complete, unless it goes on there.
    const oldest = batch[batch.length - 1]!;
    for (const [sensorId, span] of open) {
      if (span.first * 1e6 + span.shiftUs > endOf(oldest) + 1e6) finish(sensorId);
    }
  }
  const isAll = at >= minutes.length;
  for (const sensorId of [...open.keys()]) finish(sensorId);
  const newest = done.sort(newestFirst).slice(0, limit);
  const [spans, unsure] = [await described(db, actor, newest, asked), await unsureSensors(db, actor)];
  return { spans, more: !isAll || done.length > limit, ...unsure };

  /** Whether the newest spans are known to their beginnings, and nothing from this minute on can come before one of them. */
  function isSettled(next: Minute): boolean {
    const newest = [...done, ...open.values()].sort(newestFirst).slice(0, limit);
    const last = newest[limit - 1];
    return (
      last !== undefined && endOfSpan(last) > endOf(next) && newest.every((span) => open.get(span.sensorId) !== span)
    );
  }

  function finish(sensorId: string): void {
    const span = open.get(sensorId);
    if (span) done.push(span);
    open.delete(sensorId);
  }

  function addMinute({ sensor_id: sensorId, minute, time_shift: shiftUs }: Minute, sightings: Sighting[]): void {
    const wanted = {
      fromSecond: Math.max(minute * MINUTE_S, Math.ceil((fromUs - shiftUs) / 1e6)),
      toSecond: Math.min((minute + 1) * MINUTE_S, Math.floor((toUs - shiftUs) / 1e6)),
    };
    for (const { second, by } of secondsSeen(sightings, asked.shape, wanted).reverse()) {
      const span = open.get(sensorId);
      if (span?.first === second + 1) Object.assign(span, { first: second, by });
      else {
        finish(sensorId);
        open.set(sensorId, { sensorId, shiftUs, first: second, last: second, by });
      }
    }
  }
}

const endOf = ({ minute, time_shift }: Minute): number => (minute + 1) * MINUTE_S * 1e6 + time_shift;
const endOfSpan = ({ last, shiftUs }: Span): number => (last + 1) * 1e6 + shiftUs;
const newestFirst = (a: Span, b: Span): number => endOfSpan(b) - endOfSpan(a) || (a.sensorId < b.sensorId ? -1 : 1);
const keyOf = ({ sensor_id, minute }: Pick<Minute, 'sensor_id' | 'minute'>): string => `${sensor_id} ${minute}`;

type Bounds = Pick<LookbackQuery, 'asked' | 'fromUs' | 'toUs'>;

/** Minutes in which a footprint may meet the shape, the newest first; one more than are looked at. */
async function minutesOf(db: Kysely<Database>, actor: Actor, { asked, fromUs, toUs }: Bounds): Promise<Minute[]> {
  const probes = probesOf(cellsOf(asked.ring));
  const few = await fewReadable(db, actor, probes);
  if (few?.length === 0) return [];
  const start = sql<number>`(coverage_minutes.minute::bigint * 60000000 + sensors.time_shift)`;
  return readable(db, actor)
    .innerJoin('coverage_minutes', 'coverage_minutes.sensor_id', 'sensors.id')
    .select(['coverage_minutes.sensor_id', 'coverage_minutes.minute', 'sensors.time_shift'])
    .where(sql<boolean>`coverage_minutes.cells && ${probes}::bigint[]`)
    .$if(few !== null, (query) => query.where('coverage_minutes.sensor_id', 'in', few ?? []))
    .where(start, '<=', toUs)
    .where(start, '>', fromUs - MINUTE_S * 1e6)
    .orderBy(start, 'desc')
    .orderBy('coverage_minutes.sensor_id')
    .limit(MINUTES_MAX + 1)
    .execute();
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

export const names = [
  'missions.id as missionId',
  'missions.name as mission',
  'sensors.id as sensorId',
  'sensors.name as sensor',
] as const;

async function described(
  db: Kysely<Database>,
  actor: Actor,
  spans: readonly Span[],
  { middle }: AskedShape,
): Promise<LookbackSpan[]> {
  const ids = [...new Set(spans.map(({ sensorId }) => sensorId))];
  if (ids.length === 0) return [];
  const rows = await readable(db, actor)
    .select([...names, 'sensors.video'])
    .where('sensors.id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.sensorId, row]));
  return spans.flatMap(({ sensorId, shiftUs, first, last, by }) => {
    const row = byId.get(sensorId);
    if (!row) return [];
    const { video, ...named } = row;
    const width = (video as { width?: number } | null)?.width ?? 0;
    return [
      {
        ...named,
        from: first * 1e6 + shiftUs,
        to: (last + 1) * 1e6 + shiftUs,
        first: Math.max(by.timeUs, first * 1e6) + shiftUs,
        distanceM: rangeOf(by, middle),
        resolutionM: width > 0 ? widthOf(by) / width : null,
      },
    ];
  });
}

/** Metres from the platform to a place at sea level. */
export function rangeOf({ platform }: Sighting, [lon, lat]: [number, number]): number | null {
  if (!platform) return null;
  const [a, b] = [
    toEcef({ lon: platform[0], lat: platform[1], heightM: platform[2] }),
    toEcef({ lon, lat, heightM: 0 }),
  ];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Metres between the middles of the left and the right border of the picture. */
export function widthOf({ corners }: Sighting): number {
  const [a, b, c, d] = corners.map(([lon, lat]) => toEcef({ lon, lat, heightM: 0 })) as [Ecef, Ecef, Ecef, Ecef];
  const between = (one: Ecef, other: Ecef) =>
    fromEcef([(one[0] + other[0]) / 2, (one[1] + other[1]) / 2, (one[2] + other[2]) / 2]);
  return distanceM(between(a, d), between(b, c));
}
type Ecef = ReturnType<typeof toEcef>;

/** How many of the recordings that the actor may read are in the index, for the map of what was last seen too. */
export async function coverageState(
  db: Kysely<Database>,
  actor: Actor,
): Promise<{ indexed: number; notIndexed: number; withoutPosition: number }> {
  const count = (condition: typeof isMade) => sql<number>`count(*) filter (where ${condition})`;
  return readable(db, actor)
    .where('sensors.type', '=', 'video')
    .select([
      count(sql<boolean>`${isMade} and not ${isEmpty} and not ${isUnseen}`).as('indexed'),
      count(sql<boolean>`${isToMake} or ${isUnseen}`).as('notIndexed'),
      count(isEmpty).as('withoutPosition'),
    ])
    .executeTakeFirstOrThrow();
}

// While it is recorded, it counts as indexed as long as the index is not further behind than it may be.
const made = sql<boolean>`made.sensor_id = sensors.id and not made.failed and (made.index_key = sensors.index_key
  or (sensors.index_key is null and made.caught_up > extract(epoch from now()) * 1000000 - ${sql.lit(BEHIND_US)}))`;
const isMade = sql<boolean>`exists (select from coverage_sensors made where ${made})`;
const isEmpty = sql<boolean>`exists (select from coverage_sensors made where ${made} and made.footprints = 0)`;
// Its footprints are there, and not yet when each cell was seen.
const isUnseen = sql<boolean>`exists (select from coverage_sensors made where ${made} and made.footprints > 0 and
  made.caught_up is null and not made.seen)`;
// A recording under way has no index yet, nor has one of several sensors that was stopped before the others.
const isToMake = sql<boolean>`(sensors.index_key is not null or sensors.state in ('Running', 'Processing') or
  (sensors.state = 'Stopped' and exists (select from files where files.sensor_id = sensors.id))) and not ${isMade}`;

/** Recordings for which an answer may be wrong or incomplete, of those that the actor may read and that all of `where` holds for. */
export async function unsureSensors(
  db: Kysely<Database>,
  actor: Actor,
  where: readonly RawBuilder<boolean>[] = [],
): Promise<Pick<Lookback, 'notIndexed' | 'withoutPosition' | 'uncertainClock'>> {
  const kinds = {
    notIndexed: isToMake,
    withoutPosition: isEmpty,
    uncertainClock: sql<boolean>`sensors.time_source in ('file', 'upload') and not ${isEmpty}`,
  };
  const count = (condition: typeof isMade) => sql<number>`count(*) filter (where ${condition})`;
  const asked = () =>
    where.reduce((query, one) => query.where(one), readable(db, actor).where('sensors.type', '=', 'video'));
  const counts = await asked()
    .select([
      count(kinds.notIndexed).as('notIndexed'),
      count(kinds.withoutPosition).as('withoutPosition'),
      count(kinds.uncertainClock).as('uncertainClock'),
    ])
    .executeTakeFirstOrThrow();
  const named = async (kind: keyof typeof kinds) => ({
    count: counts[kind],
    sensors:
      counts[kind] === 0
        ? []
        : await asked()
            .where(kinds[kind])
            .select(names)
            .orderBy('sensors.creation_time', 'desc')
            .limit(LOOKBACK_NAMED_MAX)
            .execute(),
  });
  return {
    notIndexed: await named('notIndexed'),
    withoutPosition: await named('withoutPosition'),
    uncertainClock: await named('uncertainClock'),
  };
}
