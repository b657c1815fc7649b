import { type Actor, classificationOf, LOOKBACK_NAMED_MAX, type Lookback, type LookbackSpan } from '@osprey/contract';
import { coveredSecondsIn, distanceM, fromEcef, probesOf, type Sighting, type Target, toEcef } from '@osprey/geo';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { AuditedItem } from '../../base/audit/request-audit.ts';
import { prepared } from '../../base/db/prepared.ts';
import type { Database } from '../../base/db/schema.ts';
import { sensorHasFiles } from '../../base/items/sensors.ts';
import { usergroupsOfMarked } from '../../base/items/visibility.ts';
import { requestedCoverageKey } from '../../media/ingest/coverage.ts';
import { readableSensors } from '../../media/play/covered-minutes.ts';
import {
  endOfSpan,
  MINUTE_US,
  MINUTES_MAX,
  newestMinutes,
  type SensorNames,
  type Span,
  secondsWithin,
  spanGatherer,
  startOfSpan,
} from './span-walk.ts';

/** Maximum delay after which a running recording appears in the results, in microseconds. */
const BEHIND_US = 5_000_000;

export type LookbackQuery = { asked: Target; fromUs: number; toUs: number; limit: number };

/** Spans, with the missions that go into the audit. */
type Found = { spans: LookbackSpan[]; more: boolean; missions: AuditedItem[] };

/**
 * Times at which a place was in view. Recordings that the actor may not read are left out before anything is read of
 * them. `noteReads` is called with the missions of the spans as soon as they are known.
 */
export async function lookBack(
  db: Kysely<Database>,
  actor: Actor,
  query: LookbackQuery,
  noteReads: (missions: readonly AuditedItem[]) => Promise<void>,
): Promise<Lookback> {
  async function noted() {
    const { missions, ...found } = await newestSpans(db, actor, query);
    await noteReads(missions);
    return found;
  }
  // Both run concurrently, since the query for recordings that could not be searched covers all recordings.
  const [found, unsure] = await Promise.all([noted(), unsureSensors(db, actor)]);
  return { ...found, ...unsure };
}

async function newestSpans(
  db: Kysely<Database>,
  actor: Actor,
  { asked, fromUs, toUs, limit }: LookbackQuery,
): Promise<Found> {
  const spans = spanGatherer({ limit });
  const intersects = asked.unitsTest();
  const known = new Map<string, SensorNames>();
  let isAll = true;
  let isOneStatement = true;
  const walk = newestMinutes(db, actor, {
    probes: probesOf(asked.cells),
    where: (start) => [sql`${start} <= ${toUs}`, sql`${start} > ${fromUs - MINUTE_US}`],
    limit: MINUTES_MAX,
  });
  for await (const { minutes, next } of walk) {
    for (const { minute, footprints } of minutes) {
      if (hasNames(minute)) known.set(minute.sensorId, minute);
      else isOneStatement = false;
      const requested = secondsWithin(minute, { fromUs, toUs });
      for (const { second, by } of coveredSecondsIn(footprints, intersects, requested).reverse())
        spans.addSecond(minute, second, by);
    }
    isAll = next === null;
    const last = minutes[minutes.length - 1];
    if (last) spans.finishBefore(last.minute);
    if (next !== null && spans.isSettled(next)) break;
  }
  const found = spans.end();
  const newest = found.slice(0, limit);
  // After several statements the names are read with the rights of now.
  const named = isOneStatement ? known : await namesOfSensors(db, actor, newest);
  return { ...describe(newest, named, asked), more: !isAll || found.length > limit };
}

const hasNames = (minute: Partial<SensorNames>): minute is SensorNames => minute.missionId !== undefined;

export const names = [
  'missions.id as missionId',
  'missions.name as mission',
  'sensors.id as sensorId',
  'sensors.name as sensor',
] as const;
/** Columns with the names of sensors, their platform and their label. */
export const labelledNames = [
  ...names,
  'missions.platform_name as platform',
  'missions.classification',
  'missions.marked',
] as const;

async function namesOfSensors(
  db: Kysely<Database>,
  actor: Actor,
  spans: readonly Span[],
): Promise<Map<string, SensorNames>> {
  const ids = [...new Set(spans.map(({ sensorId }) => sensorId))];
  const rows = await prepared(
    db,
    readableSensors(db, actor)
      .select([...names, 'missions.classification', usergroupsOfMarked.as('usergroups')])
      .where(sql<boolean>`sensors.id = any (${ids}::uuid[])`),
  );
  return new Map(rows.map((row) => [row.sensorId, row]));
}

function describe(
  spans: readonly Span[],
  known: ReadonlyMap<string, SensorNames>,
  { middle }: Target,
): Pick<Found, 'spans' | 'missions'> {
  const missions = new Map<string, AuditedItem>();
  const named = spans.flatMap((span) => {
    const { sensorId, shiftUs, width, first } = span;
    const existing = known.get(sensorId);
    if (!existing) return [];
    const { missionId, mission, sensor, classification, usergroups } = existing;
    missions.set(missionId, { id: missionId, securityClassification: classificationOf(classification), usergroups });
    const by = span.by();
    return [
      {
        ...{ missionId, mission, sensorId, sensor },
        from: startOfSpan(span),
        to: endOfSpan(span),
        first: Math.max(by.timeUs, first * 1e6) + shiftUs,
        distanceM: rangeOf(by, middle),
        resolutionM: width > 0 ? widthOf(by) / width : null,
        ...(by.approximate && { approximate: true as const }),
      },
    ];
  });
  return { spans: named, missions: [...missions.values()] };
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

/** Returns the distance between the midpoints of the picture's left and right edges, in metres. */
export function widthOf({ corners }: Sighting): number {
  const [a, b, c, d] = corners.map(([lon, lat]) => toEcef({ lon, lat, heightM: 0 })) as [Ecef, Ecef, Ecef, Ecef];
  const between = (one: Ecef, other: Ecef) =>
    fromEcef([(one[0] + other[0]) / 2, (one[1] + other[1]) / 2, (one[2] + other[2]) / 2]);
  return distanceM(between(a, d), between(b, c));
}
type Ecef = ReturnType<typeof toEcef>;

// A running recording counts as indexed if its index is behind by no more than the maximum allowed delay.
const isCurrent = sql<boolean>`not made.failed and (made.index_key = ${requestedCoverageKey} or (sensors.index_key is null and
  made.caught_up > extract(epoch from now()) * 1000000 - ${sql.lit(BEHIND_US)}))`;

/**
 * Query for recordings that the actor may read and that meet all conditions of `where`, each with its index if that is
 * current.
 */
const withIndex = (db: Kysely<Database>, actor: Actor, where: readonly RawBuilder<boolean>[] = []) =>
  where.reduce(
    (query, one) => query.where(one),
    readableSensors(db, actor)
      .leftJoin('coverage_sensors as made', (join) => join.onRef('made.sensor_id', '=', 'sensors.id').on(isCurrent))
      .where('sensors.type', '=', 'video'),
  );

const isMade = sql<boolean>`made.sensor_id is not null`;
const isEmpty = sql<boolean>`coalesce(made.footprints = 0, false)`;
// True for a sensor whose footprints are stored but whose times at which each cell was seen are not stored yet.
const isUnseen = sql<boolean>`coalesce(made.footprints > 0 and made.caught_up is null and not made.seen, false)`;
// A recording under way has no index yet, nor has one of several sensors that was stopped before the others.
const isToMake = sql<boolean>`(not ${isMade} and (sensors.index_key is not null or
  sensors.state in ('Running', 'Processing') or
  (sensors.state = 'Stopped' and ${sensorHasFiles})))`;

const count = (condition: typeof isMade) => sql<number>`count(*) filter (where ${condition})`;

/**
 * Counts the recordings that the actor may read: those in the index, those not yet in it, and those without positions.
 */
export async function coverageState(
  db: Kysely<Database>,
  actor: Actor,
): Promise<{ indexed: number; notIndexed: number; withoutPosition: number }> {
  const counts = withIndex(db, actor).select([
    count(sql<boolean>`${isMade} and not ${isEmpty} and not ${isUnseen}`).as('indexed'),
    count(sql<boolean>`${isToMake} or ${isUnseen}`).as('notIndexed'),
    count(isEmpty).as('withoutPosition'),
  ]);
  return (await prepared(db, counts))[0]!;
}

/** Readable recordings for which an answer may be wrong or incomplete, of those that meet all conditions of `where`. */
export async function unsureSensors(
  db: Kysely<Database>,
  actor: Actor,
  where: readonly RawBuilder<boolean>[] = [],
): Promise<Pick<Lookback, 'notIndexed' | 'withoutPosition' | 'uncertainClock'>> {
  const kinds = {
    notIndexed: isToMake,
    withoutPosition: isEmpty,
    uncertainClock: sql<boolean>`(sensors.time_source in ('file', 'upload') and not ${isEmpty})`,
  };
  const counting = withIndex(db, actor, where).select([
    count(kinds.notIndexed).as('notIndexed'),
    count(kinds.withoutPosition).as('withoutPosition'),
    count(kinds.uncertainClock).as('uncertainClock'),
  ]);
  const counts = (await prepared(db, counting))[0]!;
  const named = async (kind: keyof typeof kinds) => ({
    count: counts[kind],
    sensors:
      counts[kind] === 0
        ? []
        : await prepared(
            db,
            withIndex(db, actor, where)
              .where(kinds[kind])
              .select(names)
              .orderBy('sensors.creation_time', 'desc')
              .limit(LOOKBACK_NAMED_MAX),
          ),
  });
  const [notIndexed, withoutPosition, uncertainClock] = await Promise.all([
    named('notIndexed'),
    named('withoutPosition'),
    named('uncertainClock'),
  ]);
  return { notIndexed, withoutPosition, uncertainClock };
}
