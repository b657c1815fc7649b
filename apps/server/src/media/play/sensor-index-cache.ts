import type { Storage } from '../../base/storage/storage.ts';
import { NotStored } from '../../base/storage/storage.ts';
import { IndexDamaged } from '../../telemetry/index-damaged.ts';
import { getJson } from '../index/file-index.ts';
import type { SensorIndex } from '../index/sensor-index.ts';

const CACHED = 100;

export type SensorIndexes = ReturnType<typeof sensorIndexes>;

/**
 * Caches the indexes of the sensors in use. An index never changes under the same key, so the cache cannot become
 * stale.
 */
export function sensorIndexes({
  storage,
  damaged,
}: {
  storage: Pick<Storage, 'read'>;
  /** Called if an index is missing or cannot be read. */
  damaged: (key: string) => void;
}) {
  const cached = new Map<string, Promise<SensorIndex>>();
  return {
    /** Reads an index; null if nothing was ingested, or if the index was just replaced by a newer one. */
    async read(key: string | null): Promise<SensorIndex | null> {
      if (key === null) return null;
      const existing = cached.get(key);
      const reading = existing ?? getJson<SensorIndex>(storage, key);
      cached.delete(key);
      cached.set(key, reading);
      if (cached.size > CACHED) cached.delete(cached.keys().next().value ?? '');
      return reading.catch((error) => {
        cached.delete(key);
        if (error instanceof NotStored || error instanceof IndexDamaged) damaged(key);
        if (error instanceof NotStored) return null;
        throw error;
      });
    },
  };
}
