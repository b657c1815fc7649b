import type { Segment } from '@osprey/mpegts';
import type { Storage } from '../../base/storage/storage.ts';
import { indexTarget, storeIndex } from './build-file-index.ts';
import type { FileIndex } from './file-index.ts';
import { createStreamPass } from './stream-pass.ts';

export type GrowingIndexOptions = {
  storage: Storage;
  sensorId: string;
  fileId: string;
  nowUs: () => number;
  onMark: (rank: number) => void;
  /** PID of the KLV stream that a user chose; null for the automatic choice. */
  klvPid?: number | null;
};

/** The indexes of an original that is being written. At its end they equal those that `indexFile` would make of it. */
export type GrowingIndex = {
  /** Processes the next bytes of the original; they are not kept. */
  push(bytes: Uint8Array): void;
  /** Returns the complete segments from number `from` on. */
  closed(from: number): Segment[];
  /** Writes the telemetry collected so far, so that it does not accumulate in memory. */
  settle(): Promise<void>;
  /** @throws AppError badFile for a stream without anything that a sensor could show */
  finish(): Promise<FileIndex>;
  /** Removes everything that was written. */
  discard(): Promise<void>;
};

export async function openGrowingIndex(options: GrowingIndexOptions): Promise<GrowingIndex> {
  const { storage } = options;
  const target = indexTarget(options.sensorId, options.fileId);
  const telemetry = await storage.append(target.telemetryKey);
  const pending: Uint8Array[] = [];
  const pass = createStreamPass({
    nowUs: options.nowUs,
    onMark: options.onMark,
    requested: options.klvPid == null ? null : { pid: options.klvPid, by: 'user' },
    write: (bytes) => pending.push(bytes),
  });

  let writing = Promise.resolve();

  function settle(): Promise<void> {
    if (pending.length > 0) writing = writing.then(write);
    return writing;
  }

  async function write(): Promise<void> {
    for (const bytes of pending.splice(0)) await telemetry.write(bytes);
  }

  async function discard(): Promise<void> {
    await writing.catch(() => {});
    await telemetry.close();
    await storage.remove(target.telemetryKey);
  }

  return {
    push: pass.push,
    closed: pass.closed,
    settle,
    async finish() {
      const survey = pass.finish();
      await settle();
      const index = await storeIndex({ storage, target, survey, telemetry });
      await telemetry.close();
      return index;
    },
    discard,
  };
}
