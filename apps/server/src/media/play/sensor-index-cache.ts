import type { Storage } from '../../base/storage/storage.ts';
import { NotStored } from '../../base/storage/storage.ts';
import { IndexDamaged } from '../../telemetry/index-damaged.ts';
import { getJson } from '../index/file-index.ts';
import type { SensorIndex } from '../index/sensor-index.ts';

const CACHED = 100;

export type SensorIndexes = ReturnType<typeof sensorIndexes>;

/** Indexes of the sensors people look at now. One never changes under its key, so what is kept is never stale. */
export function sensorIndexes({
  storage,
  damaged,
}: {
  storage: Pick<Storage, 'read'>;
  /** An index is not there, or cannot be read. */
  damaged: (key: string) => void;
}) {
  const cached = new Map<string, Promise<SensorIndex>>();
  return {
    /** Null where nothing was ingested, or the key has just given way to a newer one. */
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
