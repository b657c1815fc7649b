import type { Kysely } from 'kysely';
import { asSystem } from '../../base/access/visibility.ts';
import type { Database } from '../../base/db/schema.ts';
import type { JobQueue } from '../../base/jobs/queue.ts';
import { streamKey } from '../../base/storage/originals.ts';
import type { Storage } from '../../base/storage/storage.ts';

const SENSOR_MESSAGE = 'What players read of this recording is missing. It is made again from the original.';
const BATCH = 500;

export type RenditionsDeps = {
  db: Kysely<Database>;
  storage: Pick<Storage, 'stat'>;
  queue: Pick<JobQueue, 'enqueue'>;
  changed: (noun: 'missions', ids: string[]) => void;
  log: { warn: (fields: object, text: string) => void };
};

/** Orders that what is missing of a sensor is made again from its originals; whoever met it is not kept waiting. */
export function renditionMender(deps: RenditionsDeps): (sensorId: string) => void {
  const looking = new Set<string>();
  return (sensorId) => {
    if (looking.has(sensorId)) return;
    looking.add(sensorId);
    order(deps, sensorId)
      .catch((error) => deps.log.warn({ error, sensor: sensorId }, 'a missing rendition could not be ordered'))
      .finally(() => looking.delete(sensorId));
  };
}

async function order({ db, queue, changed, log }: RenditionsDeps, sensorId: string): Promise<void> {
  const sensor = await asSystem(db, 'ingest')
    .selectFrom('sensors')
    .select('mission_id')
    .where('id', '=', sensorId)
    .executeTakeFirst();
  const atWork = await db
    .selectFrom('jobs')
    .select('id')
    .where('sensor_id', '=', sensorId)
    .where('kind', 'in', ['ingest', 'transcode'])
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst();
  if (sensor === undefined || atWork !== undefined) return;
  log.warn({ sensor: sensorId }, 'a rendition is missing and is made again');
  const missionId = sensor.mission_id;
  await db.transaction().execute(async (tx) => {
    await asSystem(tx, 'ingest')
      .updateTable('sensors')
      .set({ message: SENSOR_MESSAGE })
      .where('id', '=', sensorId)
      .execute();
    await queue.enqueue(tx, 'ingest', { missionId, sensorId }, 'first');
  });
  changed('missions', [missionId]);
}

/** Backups leave out the streams that are made of containers: after one was put back, all are missing. */
export async function orderMissingStreams(deps: RenditionsDeps): Promise<number> {
  const missing = new Set<string>();
  let after: string | null = null;
  for (;;) {
    let query = asSystem(deps.db, 'ingest')
      .selectFrom('files')
      .select(['id', 'sensor_id'])
      .where('kind', 'in', ['mp4', 'mkv'])
      .where('state', '=', 'ready')
      .orderBy('id')
      .limit(BATCH);
    if (after !== null) query = query.where('id', '>', after);
    const rows: { id: string; sensor_id: string }[] = await query.execute();
    for (const { id, sensor_id } of rows) {
      if ((await deps.storage.stat(streamKey(sensor_id, id))) === null) missing.add(sensor_id);
    }
    if (rows.length < BATCH) break;
    after = rows.at(-1)!.id;
  }
  for (const sensorId of missing) await order(deps, sensorId);
  return missing.size;
}
