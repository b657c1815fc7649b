import { type Actor, AppError } from '@osprey/contract';
import { asSystem, type Db } from '../base/access/as-system.ts';
import { authorize } from '../base/access/authorize.ts';
import { type MissionFacts, missionFacts } from '../base/items/mission-facts.ts';
import { refuseOldName } from '../base/items/old-names.ts';
import { visible } from '../base/items/visibility.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The sensor to which a file is uploaded, and its mission. */
export type Target = { mission: MissionFacts; sensorId: string; sensorName: string };

/** Returns the sensor with this id, if the actor may upload to it. @throws AppError notFound, forbidden */
export async function targetBySensor(db: Db, actor: Actor, sensorId: string): Promise<Target> {
  const sensor = UUID.test(sensorId)
    ? await asSystem(db, 'upload')
        .selectFrom('sensors')
        .select(['id', 'name', 'mission_id'])
        .where('id', '=', sensorId)
        .executeTakeFirst()
    : undefined;
  const mission = sensor && (await missionFacts(db, sensor.mission_id, 'upload'));
  if (!sensor || !mission) throw new AppError('notFound');
  authorize(actor, 'mission.upload', mission);
  return { mission, sensorId: sensor.id, sensorName: sensor.name };
}

/**
 * Finds the target of an upload by the names or ids in a URL.
 *
 * @throws AppError notFound, forbidden, missionNameAmbiguous, missionRenamed
 */
export async function targetByNames(db: Db, actor: Actor, mission: string, sensor: string): Promise<Target> {
  const rows = await visible(db, actor)
    .innerJoin('sensors', 'sensors.mission_id', 'missions.id')
    .select(['missions.id as missionId', 'sensors.id', 'sensors.name'])
    .where(UUID.test(mission) ? 'missions.id' : 'missions.name', '=', mission)
    .execute();
  if (new Set(rows.map(({ missionId }) => missionId)).size > 1) {
    throw new AppError('missionNameAmbiguous', { name: mission });
  }
  const found = rows.find(({ id }) => id === sensor.toLowerCase()) ?? rows.find(({ name }) => name === sensor);
  if (found === undefined) {
    await refuseOldName(db, actor, mission);
    throw new AppError('notFound');
  }
  return targetBySensor(db, actor, found.id);
}

/**
 * Returns the target of an upload; null for an upload that becomes a document when it is complete. @throws AppError
 * notFound, forbidden
 */
export async function targetOfUpload(db: Db, actor: Actor, sensorId: string | null): Promise<Target | null> {
  if (sensorId !== null) return targetBySensor(db, actor, sensorId);
  authorize(actor, 'document.createAny');
  return null;
}
