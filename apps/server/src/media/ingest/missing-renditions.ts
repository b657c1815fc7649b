import { asSystem } from '../../base/access/as-system.ts';
import { streamKey } from '../../base/storage/originals.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { type OrderReadingDeps, orderReading } from './order-reading.ts';

const SENSOR_MESSAGE = 'The playable copy of this recording is missing. It is made again from the original.';
const BATCH = 500;

export type RenditionsDeps = OrderReadingDeps & {
  storage: Pick<Storage, 'stat'>;
  log: { warn: (fields: object, text: string) => void };
};

/** Queues missing renditions of a sensor to be made again from its originals; the caller does not wait for it. */
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

async function order(deps: RenditionsDeps, sensorId: string): Promise<void> {
  const { db, log } = deps;
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
  await orderReading(deps, { missionId: sensor.mission_id, sensorId, message: SENSOR_MESSAGE });
}

/** Queues missing streams made from containers. Backups leave them out, so after a restore all are missing. */
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
