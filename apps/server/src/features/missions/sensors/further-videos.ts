import { randomUUID } from 'node:crypto';
import { AppError, NAME_MAX } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { asSystem } from '../../../base/access/as-system.ts';
import type { Database } from '../../../base/db/schema.ts';
import type { JobQueue } from '../../../base/jobs/queue.ts';
import { originalKey } from '../../../base/storage/originals.ts';
import type { Storage } from '../../../base/storage/storage.ts';
import { readFileIndex } from '../../../media/index/file-index.ts';
import { EMPTY_SENSOR } from '../../../media/ingest/empty-sensor.ts';
import type { ReadSensor } from './repository.ts';

export type FurtherVideoDeps = {
  db: Kysely<Database>;
  storage: Storage;
  queue: Pick<JobQueue, 'enqueue'>;
  nowUs: () => number;
};

export type AddedSensor = { sensorId: string; name: string; fileName: string };

const refuse = (reason: string) => new AppError('ruleRefused', { reason });

/**
 * Creates a sensor for a further video of a recording, next to the one shown. It has the same bytes; if the storage
 * medium supports hard links, the copy needs no space.
 *
 * @throws AppError notFound; ruleRefused if the file contains no such video, or a sensor shows it already
 */
export async function addFurtherVideo(
  { db, storage, queue, nowUs }: FurtherVideoDeps,
  sensor: ReadSensor,
  { fileId, pid }: { fileId: string; pid: number },
): Promise<AddedSensor> {
  const file = await asSystem(db, 'authorized change')
    .selectFrom('files')
    .selectAll()
    .where('id', '=', fileId)
    .where('sensor_id', '=', sensor.id)
    .executeTakeFirst();
  if (file === undefined) throw new AppError('notFound');
  const index = file.kind === 'ts' ? await readFileIndex(storage, sensor.id, file.id) : null;
  if (!index?.leftOut?.videos.includes(pid)) throw refuse(`${file.name} holds no further video with PID ${pid}.`);
  const name = `${sensor.name.slice(0, NAME_MAX - 10)} PID ${pid}`;
  const added = { sensorId: randomUUID(), fileId: randomUUID() };
  const key = originalKey(added.sensorId, added.fileId);
  await storage.duplicate(file.storage_key, key);
  try {
    await db.transaction().execute(async (tx) => {
      const missionId = sensor.mission.id;
      const own = asSystem(tx, 'authorized change').selectFrom('sensors').where('id', '=', sensor.id);
      const { type, description } = await own.select(['type', 'description']).executeTakeFirstOrThrow();
      const others = await asSystem(tx, 'authorized change')
        .selectFrom('sensors')
        .select('name')
        .where('mission_id', '=', missionId)
        .forUpdate()
        .execute();
      if (others.some((one) => one.name === name)) throw refuse(`Sensor ${name} already shows this video.`);
      await tx
        .insertInto('sensors')
        .values({
          ...EMPTY_SENSOR,
          ...{ id: added.sensorId, mission_id: missionId, name, type, description },
          ...{ position: others.length, creation_time: nowUs(), state: 'Processing' },
        })
        .execute();
      const {
        rendition_key: _,
        position: _place,
        state: _state,
        message: _message,
        ais_dated: _dated,
        ...retained
      } = file;
      await tx
        .insertInto('files')
        .values({
          ...retained,
          ...{ id: added.fileId, sensor_id: added.sensorId, storage_key: key, rendition_key: null },
          ...{ state: 'waiting', message: null, reading: JSON.stringify({ videoPid: pid }) },
        })
        .execute();
      await queue.enqueue(tx, 'ingest', { missionId, sensorId: added.sensorId });
    });
  } catch (error) {
    await storage.remove(key);
    throw error;
  }
  return { sensorId: added.sensorId, name, fileName: file.name };
}
