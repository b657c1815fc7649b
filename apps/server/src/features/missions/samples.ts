import { asSystem, type Db } from '../../base/access/as-system.ts';

/** Finds the sample mission with this name, in the bin or not; null if there is none. */
export async function sampleNamed(db: Db, name: string): Promise<{ id: string; isDeleted: boolean } | null> {
  const row = await asSystem(db, 'mission')
    .selectFrom('missions')
    .select(['id', 'deleted_time'])
    .where('sample', '=', true)
    .where('name', '=', name)
    .executeTakeFirst();
  return row === undefined ? null : { id: row.id, isDeleted: row.deleted_time !== null };
}

/** Sensors of a mission that have no file, in their display order. */
export const emptySensors = (db: Db, missionId: string): Promise<{ id: string; name: string }[]> =>
  asSystem(db, 'mission')
    .selectFrom('sensors')
    .select(['id', 'name'])
    .where('mission_id', '=', missionId)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('files').select('id').whereRef('sensor_id', '=', 'sensors.id'))))
    .orderBy('position')
    .execute();
