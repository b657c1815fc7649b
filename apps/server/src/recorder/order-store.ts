import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { makeFolder, moveDurably, writeAtomic } from '../base/storage/durable.ts';
import { type Orders, orders } from '../recorder-wire/protocol.ts';

/** Stores the recorder's orders on disk, so that they survive its process; they contain sealed passwords. */
export type OrderStore = {
  /** Reads the stored orders; null if there are none yet, or if the file cannot be read. */
  load(): Promise<Orders | null>;
  /** Saves the orders; if calls overlap, the orders given last are kept. */
  save(orders: Orders): Promise<void>;
};

export function orderStore({ folder, log }: { folder: string; log: Logger }): OrderStore {
  const path = join(folder, 'orders.json');
  let writing: Promise<void> = Promise.resolve();
  let next: Orders | null = null;

  async function write(): Promise<void> {
    if (next === null) return;
    const text = JSON.stringify(next);
    next = null;
    // Written to a temporary file and renamed, so that neither a reader nor a power failure leaves an incomplete file.
    // A temporary file left by an earlier crash is removed first.
    const temporary = `${path}.tmp`;
    await makeFolder(folder, folder);
    await rm(temporary, { force: true });
    await writeAtomic(temporary, [Buffer.from(text)]);
    await moveDurably(temporary, path, folder);
  }

  return {
    async load() {
      const text = await readFile(path, 'utf8').catch(() => null);
      if (text === null) return null;
      try {
        return orders.parse(JSON.parse(text));
      } catch (error) {
        log.error({ error }, 'the orders of the recorder cannot be read; it waits for new ones');
        return null;
      }
    },
    save(requested) {
      next = requested;
      writing = writing.catch(() => undefined).then(write);
      return writing;
    },
  };
}
