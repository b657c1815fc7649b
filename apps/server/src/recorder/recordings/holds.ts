import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Storage } from '../../base/storage/storage.ts';

const KEY = 'rules/holds.json';
const platformIds = z.array(z.uuid());

/**
 * Platforms that rules must not record at present. The set is stored, so that it survives a restart of the recorder.
 */
export type Holds = Pick<Set<string>, 'has' | 'add' | 'delete'> & {
  load(): Promise<readonly string[]>;
  /** Writes the changes since the last call. If writing fails, the next call repeats it. Never rejects. */
  save(): Promise<void>;
};

/** `storage`: storage in the folder of the live data. */
export function createHolds({ storage, log }: { storage: Storage; log: Logger }): Holds {
  const onHold = new Set<string>();
  let isUnsaved = false;
  let saving = Promise.resolve();

  async function write(): Promise<void> {
    if (!isUnsaved) return;
    isUnsaved = false;
    try {
      await storage.put(KEY, [new TextEncoder().encode(JSON.stringify([...onHold]))]);
    } catch (error) {
      isUnsaved = true;
      log.error({ error }, 'what is not to be recorded again cannot be written');
    }
  }

  return {
    async load() {
      if ((await storage.stat(KEY)) === null) return [];
      try {
        const chunks = await (storage.read(KEY) as Readable).toArray();
        for (const id of platformIds.parse(JSON.parse(Buffer.concat(chunks).toString()))) onHold.add(id);
      } catch (error) {
        // Without the stored holds, recordings that users stopped may begin again; this is better than a recorder that
        // does not start.
        log.error({ error }, 'what is not to be recorded again cannot be read');
      }
      return [...onHold];
    },
    has: (platformId) => onHold.has(platformId),
    add(platformId) {
      isUnsaved ||= !onHold.has(platformId);
      return onHold.add(platformId);
    },
    delete(platformId) {
      const was = onHold.delete(platformId);
      isUnsaved ||= was;
      return was;
    },
    save() {
      saving = saving.then(write);
      return saving;
    },
  };
}
