import type { Actor } from '@osprey/contract';
import { sql } from 'kysely';
import { asSystem, type Db, type SystemReason } from '../access/as-system.ts';
import { visible, visibleInBin } from './visibility.ts';

/** Sensors of missions that the actor may read. */
export const visibleSensors = (db: Db, actor: Actor) =>
  visible(db, actor).innerJoin('sensors', 'sensors.mission_id', 'missions.id');

/** Files of missions that the actor may read, with their sensors. */
export const visibleFiles = (db: Db, actor: Actor) =>
  visibleSensors(db, actor).innerJoin('files', 'files.sensor_id', 'sensors.id');

/** Files of missions in the bin that the actor may read, with their sensors. */
export const visibleFilesInBin = (db: Db, actor: Actor) =>
  visibleInBin(db, actor)
    .innerJoin('sensors', 'sensors.mission_id', 'missions.id')
    .innerJoin('files', 'files.sensor_id', 'sensors.id');

/**
 * Selects the storage key of the index of the sensor with this id. Null before ingest, and if the sensor no longer
 * exists.
 */
export const indexKeyOfSensor = (id: string) =>
  sql<string | null>`(select index_key from sensors where sensors.id = ${sql.ref(id)})`;

/** Selects the name of the sensor with this id; null if it no longer exists. */
export const nameOfSensor = (id: string) =>
  sql<string | null>`(select name from sensors where sensors.id = ${sql.ref(id)})`;

/** Selects the columns of a sensor that a mark needs; null if the sensor no longer exists. */
export const sensorColumns = (id: string) =>
  [
    nameOfSensor(id).as('sensor_name'),
    indexKeyOfSensor(id).as('index_key'),
    sql<number | null>`(select time_shift from sensors where sensors.id = ${sql.ref(id)})`.as('time_shift'),
  ] as const;

/** Reads a sensor of a mission; undefined if it does not exist. */
export const sensorById = (db: Db, reason: SystemReason, id: string) =>
  asSystem(db, reason)
    .selectFrom('sensors')
    .select(['id', 'mission_id', 'name', 'live_sensor_id', 'time_shift'])
    .select(sql<number>`coalesce((video ->> 'width')::int, 0)`.as('width'))
    .where('id', '=', id)
    .executeTakeFirst();

export const sensorsById = (db: Db, reason: SystemReason, ids: readonly string[]) =>
  asSystem(db, reason)
    .selectFrom('sensors')
    .select(['id', 'mission_id', 'name', 'index_key', 'time_shift'])
    .where('id', 'in', [...ids])
    .execute();

/** Sensors of a mission, in their order. */
export const sensorsOfMission = (db: Db, reason: SystemReason, missionId: string) =>
  asSystem(db, reason)
    .selectFrom('sensors')
    .select(['id', 'name', 'index_key', 'time_shift'])
    .where('mission_id', '=', missionId)
    .orderBy('position')
    .execute();

export const filesOfSensor = (db: Db, reason: SystemReason, sensorId: string) =>
  asSystem(db, reason)
    .selectFrom('files')
    .select(['id', 'name', 'kind', 'sensor_id', 'storage_key', 'sha256'])
    .where('sensor_id', '=', sensorId)
    .execute();

/** Whether a sensor of the query has a file. */
export const sensorHasFiles = sql<boolean>`exists (select from files where files.sensor_id = sensors.id)`;
