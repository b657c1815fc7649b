import { AppError, type FrameAnchor } from '@osprey/contract';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { streamKeyOf } from '../../base/storage/originals.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { IndexDamaged } from '../../telemetry/index-damaged.ts';
import type { SensorIndexes } from '../play/sensor-index-cache.ts';
import { anchorAt, utcOf } from './anchor.ts';
import { exactPicture } from './exact-picture.ts';

export type SensorAnchorsDeps = { db: Db; storage: Pick<Storage, 'read' | 'stat'>; indexes: SensorIndexes };

/**
 * Converts times to anchors of a sensor and back, by the id of the sensor. The caller must have checked the right to
 * read the mission.
 */
export function sensorAnchors({ db, storage, indexes }: SensorAnchorsDeps) {
  /** @throws AppError notFound */
  async function readPlace(sensorId: string) {
    const sensor = await asSystem(db, 'media')
      .selectFrom('sensors')
      .where('id', '=', sensorId)
      .select(['index_key', 'time_shift'])
      .executeTakeFirst();
    if (sensor === undefined) throw new AppError('notFound');
    return { index: await readKnown(sensor.index_key), shiftUs: sensor.time_shift };
  }

  /** A damaged index is rebuilt when the sensor is played; until then its anchors are unknown. */
  async function readKnown(key: string | null) {
    return indexes.read(key).catch((error) => {
      if (error instanceof IndexDamaged) return null;
      throw error;
    });
  }

  async function originalKey(fileId: string): Promise<string | null> {
    const file = await asSystem(db, 'media')
      .selectFrom('files')
      .where('id', '=', fileId)
      .where('kind', 'in', ['ts', 'mp4', 'mkv'])
      .select(['id', 'sensor_id', 'kind', 'storage_key'])
      .executeTakeFirst();
    return file ? streamKeyOf(file) : null;
  }

  return {
    /**
     * Returns the picture on screen at this UTC time (microseconds), exact if the original is a transport stream; null
     * if the sensor shows none.
     *
     * @throws AppError notFound
     */
    async at(sensorId: string, utcUs: number): Promise<FrameAnchor | null> {
      const { index, shiftUs } = await readPlace(sensorId);
      const anchor = index && anchorAt(index, shiftUs, utcUs);
      if (anchor === null) return null;
      const key = await originalKey(anchor.fileId);
      return key === null ? anchor : exactPicture({ storage, sensorId, key, anchor });
    },

    /**
     * Returns the UTC microseconds of each anchor; null if its frame is no longer shown.
     *
     * @throws AppError notFound
     */
    async times(sensorId: string, anchors: readonly FrameAnchor[]): Promise<(number | null)[]> {
      const { index, shiftUs } = await readPlace(sensorId);
      return anchors.map((anchor) => index && utcOf(index, shiftUs, anchor));
    },
  };
}
