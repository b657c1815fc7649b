import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { telemetryReader } from '../../telemetry/reader.ts';
import { makeCoverage, requestedCoverageKey } from './coverage.ts';
import { makeCoverageHours } from './coverage-hours.ts';

/**
 * After each recording, the pause is this multiple of the working time, so that at most a quarter of a processor is
 * used.
 */
const REST = 3;

type Deps = {
  db: Kysely<Database>;
  storage: Storage;
  nowMs: () => number;
  changed: (noun: 'missions', ids: string[]) => void;
  log: { info: (fields: object, text: string) => void; warn: (fields: object, text: string) => void };
};

/**
 * Makes missing coverage of older recordings in the background, the newest recording first: after an update of the
 * server, after a restore, and when it was requested. Finished coverage is kept if the server stops meanwhile.
 */
export function coverageKeeping({ db, storage, nowMs, changed, log }: Deps) {
  const stopping = new AbortController();
  const reader = telemetryReader({ storage });

  async function buildMissing(): Promise<void> {
    // Recordings that failed in this run; they are tried again in the next one.
    const failed = new Set<string>();
    for (let made = 0; !stopping.signal.aborted; made += 1) {
      const next = await nextSensor(db, failed);
      if (next === null) {
        if (made > 0) log.info({ sensors: made }, 'recordings were indexed by place');
        return;
      }
      const startedMs = nowMs();
      try {
        const isMade =
          next.madeOf === null
            ? await makeCoverage({ db, storage, reader }, next.id, { withShapes: true })
            : await makeCoverageHours(db, { sensorId: next.id, indexKey: next.madeOf });
        if (isMade) changed('missions', [next.mission_id]);
        else failed.add(next.id);
      } catch (error) {
        failed.add(next.id);
        log.warn({ error, sensor: next.id }, 'a recording could not be indexed by place');
      }
      await wait(REST * (nowMs() - startedMs), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  return { look: buildMissing, stop: () => stopping.abort() };
}

type Next = {
  id: string;
  mission_id: string;
  /** Key of the stored coverage if only the times at which each cell was seen are missing; else null. */
  madeOf: string | null;
};

/**
 * Returns the next sensor whose coverage was not made from its current index, or by an older rule. Sensors that are
 * being ingested are skipped, since that job makes it.
 */
async function nextSensor(db: Kysely<Database>, without: ReadonlySet<string>): Promise<Next | null> {
  let query = asSystem(db, 'ingest')
    .selectFrom('sensors')
    .innerJoin('missions', 'missions.id', 'sensors.mission_id')
    .leftJoin('coverage_sensors', 'coverage_sensors.sensor_id', 'sensors.id')
    .select([
      'sensors.id',
      'sensors.mission_id',
      sql<
        string | null
      >`case when coverage_sensors.index_key = ${requestedCoverageKey} then coverage_sensors.index_key end`.as(
        'madeOf',
      ),
    ])
    .where('sensors.index_key', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('coverage_sensors.index_key', 'is', null),
        eb('coverage_sensors.index_key', '<>', requestedCoverageKey),
        eb.and([eb('coverage_sensors.seen', '=', false), eb('coverage_sensors.failed', '=', false)]),
      ]),
    )
    .where('missions.deleted_time', 'is', null)
    .orderBy('missions.start_time', (order) => order.desc().nullsLast())
    .limit(1);
  if (without.size > 0) query = query.where('sensors.id', 'not in', [...without]);
  return (await query.executeTakeFirst()) ?? null;
}
