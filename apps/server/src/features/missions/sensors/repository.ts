import { type Actor, AppError, can } from '@osprey/contract';
import { type Kysely, type Selectable, sql } from 'kysely';
import { asSystem, type Db } from '../../../base/access/as-system.ts';
import { authorize } from '../../../base/access/authorize.ts';
import type { Database } from '../../../base/db/schema.ts';
import { type MissionFacts, missionFacts } from '../../../base/items/mission-facts.ts';
import { lockMissionIsOnHold } from '../../../base/items/mission-hold.ts';
import { formerlyNamed } from '../../../base/items/old-names.ts';
import type { FileReading } from '../../../base/items/tables.ts';
import { visible } from '../../../base/items/visibility.ts';
import type { JobQueue } from '../../../base/jobs/queue.ts';

export type SensorRepository = ReturnType<typeof sensorRepository>;

/** A sensor that the actor may read, with the data needed to find its telemetry. */
export type ReadSensor = {
  id: string;
  name: string;
  indexKey: string | null;
  shiftUs: number;
  mission: MissionFacts;
};

/** A file whose row was deleted, and the storage key of its bytes. */
export type RemovedFile = { fileId: string; key: string };

/**
 * Settings of a telemetry file made by users: microseconds added to its times, and whether its coordinates are
 * exchanged.
 */
export type SidecarSettings = { offset: number; exchanged: boolean };

/** Repeated playback by the same user within this time counts as one view. */
const VIEW_US = 30 * 60 * 1_000_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export type SensorRepositoryDeps = { db: Kysely<Database>; queue: Pick<JobQueue, 'enqueue'>; nowUs: () => number };

/** Reads and changes sensors on behalf of an actor. */
export function sensorRepository({ db, queue, nowUs }: SensorRepositoryDeps) {
  /**
   * Finds a sensor by names or ids. If several missions have the name, the newest counts; if none has it, the one that
   * formerly had it. @throws AppError notFound
   */
  async function find(actor: Actor, mission: string, sensor: string): Promise<ReadSensor> {
    const byId = UUID.test(mission) ? await sensorOf(actor, sql`missions.id = ${mission}`, sensor) : null;
    const found = byId ?? (await sensorOf(actor, sql`missions.name = ${mission}`, sensor));
    if (found !== null) return found;
    const former = await formerlyNamed(db, actor, mission);
    const renamed = former === null ? null : await sensorOf(actor, sql`missions.id = ${former}`, sensor);
    if (renamed === null) throw new AppError('notFound');
    return renamed;
  }

  async function sensorOf(
    actor: Actor,
    isMission: ReturnType<typeof sql<boolean>> | ReturnType<typeof sql>,
    sensor: string,
  ): Promise<ReadSensor | null> {
    const newest = await visible(db, actor)
      .select('missions.id')
      .where(sql<boolean>`${isMission}`)
      .orderBy('missions.creation_time', 'desc')
      .orderBy('missions.id')
      .executeTakeFirst();
    if (newest === undefined) return null;
    const rows = await visible(db, actor)
      .innerJoin('sensors', 'sensors.mission_id', 'missions.id')
      .select(['sensors.id', 'sensors.name', 'sensors.state', 'sensors.index_key', 'sensors.time_shift'])
      .where('missions.id', '=', newest.id)
      .execute();
    const row = rows.find(({ id }) => id === sensor.toLowerCase()) ?? rows.find(({ name }) => name === sensor);
    return row ? read(actor, { ...row, missionId: newest.id }) : null;
  }

  /** Finds a sensor by its id alone. @throws AppError notFound */
  async function byId(actor: Actor, id: string): Promise<ReadSensor> {
    const row = await asSystem(db, 'authorized change')
      .selectFrom('sensors')
      .select(['id', 'name', 'state', 'index_key', 'time_shift', 'mission_id as missionId'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) throw new AppError('notFound');
    return read(actor, row);
  }

  type Row = Pick<Selectable<Database['sensors']>, 'id' | 'name' | 'state' | 'index_key' | 'time_shift'> & {
    missionId: string;
  };

  async function read(actor: Actor, row: Row): Promise<ReadSensor> {
    const mission = await missionFacts(db, row.missionId, 'authorized change');
    if (mission === null) throw new AppError('notFound');
    authorize(actor, 'mission.read', mission);
    // As in the lists of sensors, a draft is visible only to actors who may add files to it.
    if (row.state === 'Created' && !can(actor, 'mission.update', mission).allowed) throw new AppError('notFound');
    return { id: row.id, name: row.name, indexKey: row.index_key, shiftUs: row.time_shift, mission };
  }

  /**
   * Counts a view of the sensor and of its mission, at most once per user within 30 minutes; returns false if it was
   * counted already.
   */
  async function countView(userId: string, sensor: ReadSensor): Promise<boolean> {
    const now = nowUs();
    return db.transaction().execute(async (tx) => {
      const counted = await tx
        .insertInto('sensor_views')
        .values({ user_id: userId, sensor_id: sensor.id, last_time: now })
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'sensor_id'])
            .doUpdateSet({ last_time: now })
            .where('sensor_views.last_time', '<=', now - VIEW_US),
        )
        .executeTakeFirst();
      if (counted.numInsertedOrUpdatedRows === 0n) return false;
      await addView(tx, sensor);
      return true;
    });
  }

  /** Shifts all times of the sensor so that they differ by `shift` from those of its source. */
  async function shift(sensor: ReadSensor, shiftUs: number): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const own = await asSystem(tx, 'authorized change')
        .selectFrom('sensors')
        .select('time_shift')
        .where('id', '=', sensor.id)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const by = shiftUs - own.time_shift;
      const moved = { start_time: sql<number>`start_time + ${by}`, end_time: sql<number>`end_time + ${by}` };
      await asSystem(tx, 'authorized change')
        .updateTable('sensors')
        .set({ ...moved, time_shift: shiftUs })
        .where('id', '=', sensor.id)
        .execute();
      await asSystem(tx, 'authorized change')
        .updateTable('files')
        .set(moved)
        .where('sensor_id', '=', sensor.id)
        .execute();
      await asSystem(tx, 'authorized change')
        .updateTable('missions')
        .set({
          start_time: sql`(select min(start_time) from sensors where mission_id = missions.id)`,
          end_time: sql`(select max(end_time) from sensors where mission_id = missions.id)`,
          revision: sql`revision + 1`,
        })
        .where('id', '=', sensor.mission.id)
        .execute();
    });
  }

  /**
   * Deletes the row of a file and rebuilds the index of its sensor. The caller has to remove the bytes afterwards.
   *
   * @throws AppError notFound, missionHeld
   */
  async function removeFile(sensor: ReadSensor, fileId: string): Promise<RemovedFile> {
    return db.transaction().execute(async (tx) => {
      const row = await asSystem(tx, 'authorized change')
        .deleteFrom('files')
        .where('id', '=', fileId)
        .where('sensor_id', '=', sensor.id)
        .returning('storage_key')
        .executeTakeFirst();
      if (row === undefined) throw new AppError('notFound');
      if (await lockMissionIsOnHold(tx, 'authorized change', sensor.mission.id))
        throw new AppError('missionHeld', { name: sensor.mission.name });
      await queue.enqueue(tx, 'ingest', { missionId: sensor.mission.id, sensorId: sensor.id });
      return { fileId, key: row.storage_key };
    });
  }

  /**
   * Changes the settings of a telemetry file. If they differ from before, its sensor is read again.
   *
   * @throws AppError notFound; ruleRefused for a file of another kind
   */
  async function setSidecar(
    sensor: ReadSensor,
    fileId: string,
    requested: { offset?: number | undefined; exchanged?: boolean | undefined },
  ): Promise<{ name: string; before: SidecarSettings; after: SidecarSettings }> {
    return db.transaction().execute(async (tx) => {
      const row = await asSystem(tx, 'authorized change')
        .selectFrom('files')
        .select(['name', 'kind', 'time_offset', 'coordinates_exchanged'])
        .where('id', '=', fileId)
        .where('sensor_id', '=', sensor.id)
        .forUpdate()
        .executeTakeFirst();
      if (row === undefined) throw new AppError('notFound');
      const mayHold = row.kind === 'sidecar' || row.kind === 'mp4' || row.kind === 'mkv';
      if (!mayHold) throw new AppError('ruleRefused', { reason: 'The file is not a telemetry file.' });
      const before = { offset: row.time_offset, exchanged: row.coordinates_exchanged };
      const after = { offset: requested.offset ?? before.offset, exchanged: requested.exchanged ?? before.exchanged };
      if (after.offset !== before.offset || after.exchanged !== before.exchanged) {
        await asSystem(tx, 'authorized change')
          .updateTable('files')
          .set({ time_offset: after.offset, coordinates_exchanged: after.exchanged })
          .where('id', '=', fileId)
          .execute();
        await queue.enqueue(tx, 'ingest', { missionId: sensor.mission.id, sensorId: sensor.id });
      }
      return { name: row.name, before, after };
    });
  }

  /**
   * Stores how a user wants a file to be read, and rebuilds the index of its sensor.
   *
   * @throws AppError notFound; ruleRefused for AIS times of a file of another kind
   */
  async function readAs(sensor: ReadSensor, fileId: string, reading: FileReading | null): Promise<string> {
    return db.transaction().execute(async (tx) => {
      const before = await asSystem(tx, 'authorized change')
        .selectFrom('files')
        .select('reading')
        .where('id', '=', fileId)
        .where('sensor_id', '=', sensor.id)
        .forUpdate()
        .executeTakeFirst();
      const videoPid = before?.reading?.videoPid;
      const after = videoPid === undefined ? reading : { ...reading, videoPid };
      const row = await asSystem(tx, 'authorized change')
        .updateTable('files')
        .set({ reading: after && JSON.stringify(after) })
        .where('id', '=', fileId)
        .where('sensor_id', '=', sensor.id)
        .returning(['name', 'kind'])
        .executeTakeFirst();
      if (row === undefined) throw new AppError('notFound');
      if (reading?.ais && row.kind !== 'ais') throw new AppError('ruleRefused', { reason: 'The file holds no AIS.' });
      await queue.enqueue(tx, 'ingest', { missionId: sensor.mission.id, sensorId: sensor.id });
      return row.name;
    });
  }

  return { find, byId, countView, shift, removeFile, readAs, setSidecar };
}

async function addView(tx: Db, sensor: ReadSensor): Promise<void> {
  const views = sql<number>`views + 1`;
  await asSystem(tx, 'authorized change').updateTable('sensors').set({ views }).where('id', '=', sensor.id).execute();
  await asSystem(tx, 'authorized change')
    .updateTable('missions')
    .set({ views })
    .where('id', '=', sensor.mission.id)
    .execute();
}
