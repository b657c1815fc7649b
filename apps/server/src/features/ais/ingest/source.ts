import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../base/db/schema.ts';
import { missionIsThere } from '../../../base/items/missions.ts';
import { platformIsThere, platformSensorName } from '../../../base/items/platform-facts.ts';
import { type AisFileName, readAisFileKey } from '../../../recorder-wire/ais-files.ts';
import { type AisBatches, aisBatches } from '../batch.ts';
import type { Place } from '../jump.ts';
import { receiverRange } from '../ranges.ts';
import type { AisIngestDeps } from './dependencies.ts';

/** Maximum age of a file whose mission may not have a row yet, in microseconds. */
const NEW_US = 3_600_000_000;

/** Source that the rows of a file belong to. */
export type Source = {
  id: number;
  missionId: string | null;
  platformId: string;
  places: Map<number, Place>;
  batches: AisBatches;
  /** True until a message has been read for this source. */
  isNew: boolean;
  range: ReturnType<typeof receiverRange>;
};

/**
 * Returns the source of a file: `current` where that has the same platform and mission. Undefined: no user could ever
 * read the rows.
 *
 * @throws Error while the mission of a recording has no row yet
 */
export async function sourceOf(
  key: string,
  sensorId: string,
  { deps, current }: { deps: AisIngestDeps; current: Source | null },
): Promise<Source | undefined> {
  const name = readAisFileKey(key)!;
  if (current !== null && current.missionId === name.missionId && current.platformId === name.platformId)
    return current;
  const id = await sourceId(deps, sensorId, name);
  if (id === null) return undefined;
  const places = await placesOf(deps.db, id);
  return {
    ...{ id, missionId: name.missionId, platformId: name.platformId, places },
    ...{ batches: aisBatches(places), isNew: true, range: receiverRange(sensorId, deps.nowMs) },
  };
}

async function sourceId(
  { db, mirror, nowUs }: AisIngestDeps,
  sensorId: string,
  { platformId, missionId, startedUs }: AisFileName,
): Promise<number | null> {
  const [hasPlatform, hasMission, sensorName] = await Promise.all([
    platformIsThere(db, platformId),
    missionId !== null && missionIsThere(db, 'recorder', missionId),
    platformSensorName(db, sensorId),
  ]);
  if (missionId !== null && !hasMission) {
    // The row of a new mission is written as soon as the database is available; a permanently deleted mission has none.
    const isNew = nowUs() - startedUs < NEW_US;
    const isComing = isNew || mirror.recordings().some((recording) => recording.missionId === missionId);
    if (isComing) throw new Error('The mission of a recording has no row yet');
    return null;
  }
  if (!hasPlatform && missionId === null) return null;
  const recorded = mirror
    .recordings()
    .flatMap(({ sensors }) => sensors)
    .find(({ liveSensorId }) => liveSensorId === sensorId);
  const name = sensorName ?? recorded?.name ?? 'AIS';
  const { rows } = await sql<{ id: number }>`
    insert into ais_sources (sensor_id, name, platform_id, mission_id, created)
    values (${sensorId}, ${name}, ${hasPlatform ? platformId : null}, ${missionId}, ${nowUs()})
    on conflict on constraint ais_sources_sensor do update set name = excluded.name
    returning id`.execute(db);
  return rows[0]!.id;
}

async function placesOf(db: Kysely<Database>, id: number): Promise<Map<number, Place>> {
  const rows = await db
    .selectFrom('ais_last')
    .where('source_id', '=', id)
    .select(['mmsi', 'lat', 'lon', 'time'])
    .execute();
  return new Map(rows.map(({ mmsi, ...place }) => [mmsi, place]));
}
