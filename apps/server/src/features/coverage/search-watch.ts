import { setImmediate as otherWork } from 'node:timers/promises';
import { type Actor, AppError, classificationOf, type SavedSearch } from '@osprey/contract';
import { type Sighting, secondsWhere, unpackSightings } from '@osprey/geo';
import { type Kysely, sql } from 'kysely';
import { actorsById } from '../../base/access/actors.ts';
import { asSystem } from '../../base/access/as-system.ts';
import { requestAudit } from '../../base/audit/request-audit.ts';
import type { AuditWriter } from '../../base/audit/writer.ts';
import type { Database } from '../../base/db/schema.ts';
import { items } from '../../base/items/product.ts';
import { sensorById } from '../../base/items/sensors.ts';
import type { SearchHitFound } from '../../base/ws/outgoing.ts';
import { readableSensors } from '../../media/play/covered-minutes.ts';
import { boundsOf } from './find.ts';
import { isInDay, isTargetOf, recordingConditions } from './find-filter.ts';
import { labelledNames } from './lookback.ts';
import { storedQuestion } from './saved-searches.ts';
import { type HitRun, hitsOf } from './search-hit-runs.ts';
import { secondsWithin } from './span-walk.ts';
import { askedFor, type FeaturesOf, probesOfShape } from './target.ts';

/** A place counts as in sight now if it was sighted within this many seconds of the newest telemetry read. */
const FRESH_S = 5;
/** Maximum number of searches prepared in one run; the others are prepared when the next footprints arrive. */
const PREPARED_AT_ONCE = 50;
const RETENTION_US = 30 * 86_400e6;
const HIT_CLEANUP_INTERVAL_US = 3_600e6;

/** Newly stored footprints of a sensor that is being recorded. */
export type NewFootprints = {
  sensorId: string;
  /** Minutes of the sensor's own clock that have new footprints. */
  minutes: readonly number[];
  /** False while footprints that were recorded earlier have not been read yet. */
  isLive: boolean;
};

type Deps = {
  db: Kysely<Database>;
  auditWriter: AuditWriter;
  /** Returns the shapes of an annotation without checking rights; an empty list if the annotation no longer exists. */
  featuresOf: FeaturesOf;
  /** Sends the hit to the open pages of an account, if the account may read the mission. */
  notify: (user: string, hit: SearchHitFound) => void;
  nowUs: () => number;
  log: { warn: (fields: object, text: string) => void };
};

type Search = Pick<SavedSearch, 'name' | 'shape' | 'filter'> & { id: string; userId: string };
type Sensor = { id: string; missionId: string; shiftUs: number; width: number };
type Seen = { minute: number; sightings: Sighting[] }[];
type Observation = { search: Search; actor: Actor; sensor: Sensor; seen: Seen; newestUs: number; isLive: boolean };

/**
 * Compares new footprints with the saved searches of all users. The owner is notified once each time a sensor comes to
 * see the place, if the owner's rights at that moment allow it. Notifications are stored, so that none is repeated
 * after a restart.
 */
export function searchWatch({ db, auditWriter, featuresOf, notify, nowUs, log }: Deps) {
  let lastCleanupUs = 0;

  async function lookAt({ sensorId, minutes, isLive }: NewFootprints): Promise<void> {
    await prepare();
    await sweep();
    const searches = await searchesMeeting(sensorId, minutes);
    if (searches.length === 0) return;
    const sensor = await sensorOf(sensorId);
    if (sensor === null) return;
    const [seen, existing, accounts, facts] = await Promise.all([
      seenIn(sensorId, minutes),
      newestHits(sensorId, searches),
      actorsById(db, [...new Set(searches.map(({ userId }) => userId))]),
      items.factsById(db, [sensor.missionId]),
    ]);
    const newestUs = Math.max(...seen.flatMap(({ sightings }) => sightings.map(({ timeUs }) => timeUs)));
    for (const search of searches) {
      const actor = accounts.get(search.userId)?.actor;
      if (actor === undefined || !items.mayRead(actor, facts.get(sensor.missionId))) continue;
      await compare({ search, actor, sensor, seen, newestUs, isLive }, existing.get(search.id) ?? null);
      await otherWork();
    }
  }

  /**
   * Computes the index entries (`probes`) of searches without any: new searches, and those whose annotation was
   * redrawn.
   */
  async function prepare(): Promise<void> {
    const rows = await db
      .selectFrom('saved_searches')
      .select(['id', 'question'])
      .where('notify', '=', true)
      .where('probes', 'is', null)
      .limit(PREPARED_AT_ONCE)
      .execute();
    for (const { id, question } of rows) {
      const probes = await probesOfShape(storedQuestion.parse(question).shape, featuresOf);
      // The update skips a search whose question changed meanwhile; it is prepared with the next footprints.
      await db
        .updateTable('saved_searches')
        .set({ probes })
        .where('id', '=', id)
        .where('question', '=', JSON.stringify(question))
        .execute();
    }
  }

  async function sweep(): Promise<void> {
    if (nowUs() - lastCleanupUs < HIT_CLEANUP_INTERVAL_US) return;
    lastCleanupUs = nowUs();
    await db
      .deleteFrom('search_hits')
      .where('made', '<', nowUs() - RETENTION_US)
      .execute();
  }

  async function searchesMeeting(sensorId: string, minutes: readonly number[]): Promise<Search[]> {
    const cells = sql`(select array_agg(distinct cell) from coverage_minutes, unnest(cells) cell
      where sensor_id = ${sensorId} and minute = any (${[...minutes]}::int[]))`;
    const rows = await db
      .selectFrom('saved_searches')
      .select(['id', 'user_id as userId', 'name', 'question'])
      .where('notify', '=', true)
      .where(sql<boolean>`probes && ${cells}`)
      .execute();
    return rows.map(({ question, ...row }) => ({ ...row, ...storedQuestion.parse(question) }));
  }

  async function sensorOf(sensorId: string): Promise<Sensor | null> {
    const row = await sensorById(db, 'recorder', sensorId);
    return row ? { id: row.id, missionId: row.mission_id, shiftUs: row.time_shift, width: row.width } : null;
  }

  async function seenIn(sensorId: string, minutes: readonly number[]): Promise<Seen> {
    const rows = await asSystem(db, 'recorder')
      .selectFrom('coverage_minutes')
      .select(['minute', 'footprints'])
      .where('sensor_id', '=', sensorId)
      .where('minute', 'in', [...minutes])
      .orderBy('minute')
      .execute();
    return rows.map(({ minute, footprints }) => ({ minute, sightings: unpackSightings(footprints) }));
  }

  async function newestHits(
    sensorId: string,
    searches: readonly Search[],
  ): Promise<Map<string, Omit<HitRun, 'isLong'>>> {
    const ids = searches.map(({ id }) => id);
    const rows = await db
      .selectFrom('search_hits')
      .distinctOn('search_id')
      .select(['id', 'search_id', 'first', 'last', 'unbroken', 'notified'])
      .where('sensor_id', '=', sensorId)
      .where('search_id', 'in', ids)
      .orderBy('search_id')
      .orderBy('first', 'desc')
      .execute();
    return new Map(rows.map(({ search_id, ...row }) => [search_id, row]));
  }

  async function compare(observation: Observation, existing: Omit<HitRun, 'isLong'> | null): Promise<void> {
    const seconds = (await secondsOf(observation)).filter((second) => existing === null || second > existing.last);
    for (const run of hitsOf(seconds, existing, observation.search.filter.seconds ?? 1)) {
      const isNow = observation.isLive && observation.newestUs / 1e6 - run.last <= FRESH_S;
      if (run.notified === null && run.isLong) await announce(observation, run, isNow);
      else await keep(observation, run, isNow);
    }
  }

  /** Returns the seconds of the sensor's own clock in which the place was in view. */
  async function secondsOf({ search, actor, sensor, seen }: Observation): Promise<number[]> {
    const { shape, filter } = search;
    // The annotation is read with the rights of the search's owner. The read is not audited, since nothing is sent to
    // anyone.
    const audit = { read: async () => undefined };
    const asked = await askedFor({ db, actor, audit }, shape).catch((error) => {
      if (error instanceof AppError) return null;
      throw error;
    });
    if (asked === null) return [];
    const isTarget = isTargetOf(asked, filter, sensor.width);
    const bounds = boundsOf(filter, { after: null, nowUs: nowUs() });
    return seen.flatMap(({ minute, sightings }) =>
      secondsWhere(sightings, isTarget, secondsWithin({ minute, time_shift: sensor.shiftUs }, bounds))
        .map(({ second }) => second)
        .filter((second) => isInDay(second * 1e6 + sensor.shiftUs, filter.day)),
    );
  }

  async function keep(
    { search, sensor }: Observation,
    run: HitRun,
    isNow: boolean,
    notified = run.notified,
  ): Promise<string | null> {
    const { id, first, last, unbroken } = run;
    const values = { first, last, unbroken, notified, ...(isNow && { in_sight: nowUs() }) };
    if (id !== null) {
      await db.updateTable('search_hits').set(values).where('id', '=', id).execute();
      return id;
    }
    const row = await db
      .insertInto('search_hits')
      .values({ ...values, search_id: search.id, sensor_id: sensor.id, made: nowUs() })
      .onConflict((conflict) => conflict.columns(['sensor_id', 'search_id', 'first']).doNothing())
      .returning('id')
      .executeTakeFirst();
    return row?.id ?? null;
  }

  /** Notifies the owner if the recording matches the filter of the search. */
  async function announce(observation: Observation, run: HitRun, isNow: boolean): Promise<void> {
    const { search, actor, sensor } = observation;
    let query = readableSensors(db, actor).select(labelledNames).where('sensors.id', '=', sensor.id);
    for (const condition of recordingConditions(search.filter)) query = query.where(condition);
    const row = await query.executeTakeFirst();
    if (row === undefined) return;
    const id = await keep(observation, run, isNow, nowUs());
    const facts = await items.factsOf('mission', asSystem(db, 'events'), sensor.missionId);
    if (id === null || facts === null) return;
    const { classification, ...named } = row;
    const audit = requestAudit(auditWriter, { actor, session: null, address: '' }, nowUs);
    await audit.read('coverage.read', facts);
    notify(actor.id, {
      ...named,
      ...{ _id: id, searchId: search.id, search: search.name, now: isNow },
      securityClassification: classificationOf(classification),
      first: run.first * 1e6 + sensor.shiftUs,
    });
  }

  return {
    /**
     * Compares new footprints with the saved searches. Errors are only logged, since they must not prevent footprints
     * from being stored.
     */
    async look(footprints: NewFootprints): Promise<void> {
      await lookAt(footprints).catch((error) =>
        log.warn({ error, sensor: footprints.sensorId }, 'saved searches were not compared'),
      );
    },
  };
}
