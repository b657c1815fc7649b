import { randomUUID } from 'node:crypto';
import { createCoverage, type Position } from '@osprey/geo';
import { type Kysely, type Selectable, sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { removeStarting } from '../../base/storage/remove-starting.ts';
import { NotStored, type Storage } from '../../base/storage/storage.ts';
import { IndexDamaged } from '../../telemetry/index-damaged.ts';
import type { TelemetryReader } from '../../telemetry/reader.ts';
import { getJson, indexFolder, putJson } from '../index/file-index.ts';
import { pictureName } from '../index/picture-files.ts';
import type { SensorIndex } from '../index/sensor-index.ts';
import type { BuiltIndex } from './build-index.ts';
import { dropCoverage } from './coverage.ts';
import { EMPTY_SENSOR } from './empty-sensor.ts';
import { type Covered, surveyGround } from './ground.ts';
import { klvStatusOf } from './health.ts';
import { settleMission } from './mission-state.ts';
import { addShapes, dropShapes } from './shape-rows.ts';

/** Returns the files of a sensor, in the order in which they were uploaded. */
export function sensorFiles(db: Db, sensorId: string): Promise<Selectable<Database['files']>[]> {
  return asSystem(db, 'ingest')
    .selectFrom('files')
    .selectAll()
    .where('sensor_id', '=', sensorId)
    .orderBy('created')
    .orderBy('name')
    .execute();
}

type StoreDeps = { db: Kysely<Database>; storage: Storage; reader: TelemetryReader };

type Storing = {
  missionId: string;
  sensorId: string;
  built: BuiltIndex;
  /** Contains the footprints of this sensor; those of the mission's other sensors are added. */
  mission: Covered;
  message: string | null;
};

/**
 * Puts a new index into effect: sensor, files, shapes and mission change in one transaction, and the old index is
 * removed afterwards. Returns the area of the mission in square kilometres.
 */
export async function storeSensor(deps: StoreDeps, storing: Storing): Promise<number> {
  const { db, storage, reader } = deps;
  const { missionId, sensorId, built, mission } = storing;
  const indexKey = `${sensorIndexStem(sensorId)}${randomUUID()}.json`;
  await putJson(storage, indexKey, built.index);
  await addOtherSensors({ db, storage, reader }, { missionId, sensorId, mission });
  const area = mission.area();

  await db.transaction().execute(async (tx) => {
    const own = await asSystem(tx, 'ingest')
      .selectFrom('sensors')
      .innerJoin('missions', 'missions.id', 'sensors.mission_id')
      .select('sensors.time_shift')
      .where('sensors.id', '=', sensorId)
      .forUpdate('missions')
      .executeTakeFirstOrThrow();
    await writeSensor(tx, storing, { indexKey, shiftUs: own.time_shift });
    await writeFiles(tx, built, own.time_shift);
    await settleTexts(tx, sensorId);
    await dropShapes(tx, { missionId, sensorId });
    await addShapes(tx, { missionId, sensorId }, built.ground.shapes);
    await dropCoverage(tx, sensorId);
    await asSystem(tx, 'ingest')
      .updateTable('missions')
      .set({
        area_sq_km: area.areaSqKm,
        area: JSON.stringify(area.geometry),
        place_lon: built.ground.place?.[0] ?? null,
        place_lat: built.ground.place?.[1] ?? null,
        revision: sql`revision + 1`,
      })
      .where('id', '=', missionId)
      .execute();
    await settleMission(tx, missionId);
  });
  // Removes the previous index, and those of interrupted attempts.
  await removeStarting(storage, sensorIndexStem(sensorId), [indexKey]);
  return area.areaSqKm;
}

type Clearing = { missionId: string; sensorId: string };

/**
 * Resets a sensor whose last recording was removed: its row becomes as it was initially, and the area of the mission is
 * that of the other sensors.
 */
export async function clearSensor(deps: StoreDeps, { missionId, sensorId }: Clearing): Promise<void> {
  const mission = createCoverage();
  const place = await addOtherSensors(deps, { missionId, sensorId, mission });
  const area = mission.area();
  await deps.db.transaction().execute(async (tx) => {
    await dropShapes(tx, { missionId, sensorId });
    await dropCoverage(tx, sensorId);
    await asSystem(tx, 'ingest')
      .updateTable('sensors')
      .set({ ...EMPTY_SENSOR, state: 'Created' })
      .where('id', '=', sensorId)
      .execute();
    const others = sql<string>`(select own.thumbnail from sensors own
      where own.mission_id = missions.id and own.thumbnail is not null order by own.position limit 1)`;
    await asSystem(tx, 'ingest')
      .updateTable('missions')
      .set({
        area_sq_km: place && area.areaSqKm,
        area: place && JSON.stringify(area.geometry),
        place_lon: place?.[0] ?? null,
        place_lat: place?.[1] ?? null,
        thumbnail: sql`case when thumbnail = ${pictureName(sensorId, null)} then ${others} else thumbnail end`,
        revision: sql`revision + 1`,
      })
      .where('id', '=', missionId)
      .execute();
    await settleMission(tx, missionId);
  });
  await removeStarting(deps.storage, sensorIndexStem(sensorId));
}

const sensorIndexStem = (sensorId: string): string => `${indexFolder(sensorId)}/sensor-`;

/**
 * Adds the footprints of the other sensors, since the area of a mission joins those of all its sensors. Returns the
 * place of one of the others.
 */
async function addOtherSensors(
  { db, storage, reader }: StoreDeps,
  { missionId, sensorId, mission }: Pick<Storing, 'missionId' | 'sensorId' | 'mission'>,
): Promise<Position | null> {
  const others = await asSystem(db, 'ingest')
    .selectFrom('sensors')
    .select('index_key')
    .where('mission_id', '=', missionId)
    .where('id', '<>', sensorId)
    .where('index_key', 'is not', null)
    .execute();
  let place: Position | null = null;
  for (const { index_key } of others) {
    const index = await getJson<SensorIndex>(storage, index_key!).catch(noneIfDamaged);
    if (index === null) continue;
    place = (await surveyGround(reader, index.files, mission)).place ?? place;
  }
  return place;
}

/** Returns null for a damaged or missing index, which is made again when the sensor is opened. */
function noneIfDamaged(error: unknown): null {
  if (error instanceof IndexDamaged || error instanceof NotStored) return null;
  throw error;
}

type Written = { indexKey: string; shiftUs: number };

async function writeSensor(
  tx: Db,
  { sensorId, built, message }: Storing,
  { indexKey, shiftUs }: Written,
): Promise<void> {
  const { timeline, health, files } = built.index;
  const playable = files.find(({ media }) => media !== null && media.segments.length > 0);
  const converting = files.some(({ video, media }) => video !== null && media === null);
  const first = playable?.video ?? null;
  const video = first && {
    codec: first.codec,
    width: first.width,
    height: first.height,
    frameRate: first.frameRate,
  };
  const last = timeline?.runs[timeline.runs.length - 1];
  await asSystem(tx, 'ingest')
    .updateTable('sensors')
    .set({
      state: converting ? 'Processing' : 'Ready',
      start_time: timeline && timeline.startTime + shiftUs,
      end_time: timeline && timeline.endTime + shiftUs,
      time_source: timeline?.timeSource ?? null,
      video: video && JSON.stringify(video),
      duration_seconds: last ? last.playlistStart + last.durationSeconds : null,
      klv_status: JSON.stringify(klvStatusOf(health)),
      index_key: indexKey,
      message: message ?? (converting ? 'The recording is being converted for browsers.' : null),
    })
    .where('id', '=', sensorId)
    .execute();
}

async function writeFiles(tx: Db, { files }: BuiltIndex, shiftUs: number): Promise<void> {
  for (const [position, { id, startUs, endUs, note }] of files.entries()) {
    const isDated = Number.isFinite(startUs) && Number.isFinite(endUs);
    await asSystem(tx, 'ingest')
      .updateTable('files')
      .set({
        state: 'ready',
        position,
        message: note,
        start_time: isDated ? startUs + shiftUs : null,
        end_time: isDated ? endUs + shiftUs : null,
      })
      .where('id', '=', id)
      .execute();
  }
}

/** Marks manifests and sidecars as ready; their errors are in the sensor's message. */
async function settleTexts(tx: Db, sensorId: string): Promise<void> {
  await asSystem(tx, 'ingest')
    .updateTable('files')
    .set({ state: 'ready' })
    .where('sensor_id', '=', sensorId)
    .where('kind', 'in', ['manifest', 'sidecar'])
    .execute();
}

export async function setFileState(db: Db, fileId: string, state: string): Promise<void> {
  await asSystem(db, 'ingest').updateTable('files').set({ state }).where('id', '=', fileId).execute();
}
