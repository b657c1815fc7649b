import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Storage } from '../../base/storage/storage.ts';
import { type Recording, recording } from '../../recorder-wire/protocol.ts';

const FOLDER = 'journals';
const keyOf = (missionId: string): string => `${FOLDER}/${missionId}.json`;

/**
 * Journals of the recordings. Each journal file is replaced atomically, so that a reader never reads a half-written
 * journal.
 */
export type Journals = {
  load(): Promise<Recording[]>;
  save(recording: Recording): Promise<void>;
  remove(missionId: string): Promise<void>;
};

/** `storage`: storage in the folder of the live data. */
export function createJournals({ storage, log }: { storage: Storage; log: Logger }): Journals {
  async function read(key: string): Promise<Recording | null> {
    try {
      const chunks = await (storage.read(key) as Readable).toArray();
      return recording.parse(JSON.parse(Buffer.concat(chunks).toString()));
    } catch (error) {
      // The unreadable journal is kept, since its recording is still on the disk.
      log.error({ error, key }, 'the journal of a recording cannot be read');
      return null;
    }
  }

  return {
    async load() {
      const found: Recording[] = [];
      for await (const { key } of storage.list(FOLDER)) {
        const journal = key.endsWith('.json') ? await read(key) : null;
        if (journal !== null) found.push(journal);
      }
      return found.sort((a, b) => a.startedUs - b.startedUs);
    },
    async save(journal) {
      await storage.put(keyOf(journal.missionId), [new TextEncoder().encode(JSON.stringify(journal))]);
    },
    remove: (missionId) => storage.remove(keyOf(missionId)),
  };
}
