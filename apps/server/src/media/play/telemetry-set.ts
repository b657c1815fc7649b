import { AppError, type TelemetrySet } from '@osprey/contract';
import type { Storage } from '../../base/storage/storage.ts';
import type { TelemetryReader } from '../../telemetry/reader.ts';
import { readFileIndex } from '../index/file-index.ts';
import type { IndexedFile } from '../index/sensor-index.ts';
import type { Original } from './media-files.ts';
import { readSet } from './set-bytes.ts';
import { placeOfSet } from './set-place.ts';

/**
 * Maximum number of concurrent reads, each of some megabytes of an original; further requests are refused as
 * unavailable.
 */
const READING_MAX = 4;

export type TelemetrySetDeps = {
  storage: Pick<Storage, 'open' | 'read' | 'stat'>;
  telemetry: TelemetryReader;
  originalsOf: (sensorId: string) => Promise<readonly Original[]>;
};

type Asked = { sensorId: string; files: readonly IndexedFile[]; timeUs: number };

/** Finds KLV sets by time and reads their bytes from the originals. */
export function telemetrySets({ storage, telemetry, originalsOf }: TelemetrySetDeps) {
  let reading = 0;

  async function find({ sensorId, files, timeUs }: Asked): Promise<Pick<TelemetrySet, 'set' | 'reason'>> {
    const place = await placeOfSet(telemetry, files, timeUs);
    if (place === null) return { set: null, reason: 'notFound' };
    const { fileId } = place.file;
    const original = (await originalsOf(sensorId)).find(({ id }) => id === fileId);
    if (original === undefined) return { set: null, reason: 'sidecar' };
    const isThere = (await storage.stat(original.streamKey)) !== null;
    const index = isThere ? await readFileIndex(storage, sensorId, fileId) : null;
    const set = index && (await readSet({ storage, key: original.streamKey, index, place }));
    if (!set) return { set: null, reason: 'notFound' };
    return { set: { fileId, fileName: original.name, ...set }, reason: null };
  }

  return {
    /** @throws AppError unavailable if too many sets are being read already */
    async read(asked: Asked): Promise<Pick<TelemetrySet, 'set' | 'reason'>> {
      if (reading >= READING_MAX) throw new AppError('unavailable');
      reading += 1;
      try {
        return await find(asked);
      } finally {
        reading -= 1;
      }
    },
  };
}

export type TelemetrySets = ReturnType<typeof telemetrySets>;
