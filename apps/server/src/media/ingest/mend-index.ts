import { asSystem } from '../../base/access/as-system.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { telemetryReader } from '../../telemetry/reader.ts';
import { type FileIndex, getJson } from '../index/file-index.ts';
import type { SensorIndex } from '../index/sensor-index.ts';
import { type OrderReadingDeps, orderReading } from './order-reading.ts';

/** Remark on a file whose index was lost; it is kept when the file is read again. */
export const INDEX_REMARK = 'Its index was damaged and was made again from the original.';
const SENSOR_MESSAGE = 'The index was damaged. It is made again from the originals.';

/** Checks that all files to which an index refers can be read. */
export async function isIndexComplete(
  storage: Pick<Storage, 'open' | 'read' | 'stat'>,
  { telemetryKey, segmentsKey }: Pick<FileIndex, 'telemetryKey' | 'segmentsKey'>,
): Promise<boolean> {
  try {
    if (segmentsKey !== null) await getJson(storage, segmentsKey);
    if (telemetryKey !== null) for await (const _block of telemetryReader({ storage }).blocks(telemetryKey));
    return true;
  } catch {
    return false;
  }
}

export type IndexMenderDeps = OrderReadingDeps & {
  storage: Pick<Storage, 'read' | 'open' | 'stat'>;
  log: { error: (fields: object, text: string) => void; warn: (fields: object, text: string) => void };
};

export type MendIndex = (key: string) => void;

/** Queues a damaged index, `indexes/{sensorId}/…`, to be made again. The caller does not wait for it. */
export function indexMender(deps: IndexMenderDeps): MendIndex {
  const { db, storage, log } = deps;
  const looking = new Set<string>();

  async function mend(key: string, sensorId: string): Promise<void> {
    const sensor = await asSystem(db, 'ingest')
      .selectFrom('sensors')
      .select(['mission_id', 'index_key'])
      .where('id', '=', sensorId)
      .executeTakeFirst();
    // A newer index may have replaced this one while it was being read.
    if (!sensor?.index_key || (sensor.index_key !== key && !(await names(sensor.index_key, key)))) return;
    const atWork = await db
      .selectFrom('jobs')
      .select('id')
      .where('sensor_id', '=', sensorId)
      .where('kind', '=', 'ingest')
      .where('state', 'in', ['waiting', 'running'])
      .executeTakeFirst();
    if (atWork !== undefined) return;
    log.error({ sensor: sensorId, key }, 'an index is damaged and is made again');
    await orderReading(deps, { missionId: sensor.mission_id, sensorId, message: SENSOR_MESSAGE });
  }

  /** Returns whether the sensor's index refers to this key. */
  async function names(indexKey: string, key: string): Promise<boolean> {
    const index = await getJson<SensorIndex>(storage, indexKey).catch(() => null);
    return index === null || index.files.some(({ telemetryKey }) => telemetryKey === key);
  }

  return (key) => {
    const [, sensorId] = key.split('/');
    if (sensorId === undefined || looking.has(sensorId)) return;
    looking.add(sensorId);
    mend(key, sensorId)
      .catch((error) => log.warn({ error, key }, 'a damaged index could not be ordered again'))
      .finally(() => looking.delete(sensorId));
  };
}
