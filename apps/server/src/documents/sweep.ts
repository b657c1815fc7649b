import type { Kysely } from 'kysely';
import { asSystem } from '../access/visibility.ts';
import type { Database } from '../db/schema.ts';
import type { Storage } from '../storage/storage.ts';
import { documentFolder } from './pictures.ts';

/** The bin keeps what was thrown into it for 30 days. */
const BIN_US = 30 * 24 * 3_600_000_000;
/** Files without a row are left over by a crash between the two. */
const UNOWNED_MS = 24 * 3_600_000;
const FOLDER_ID = /^documents\/([0-9a-f-]{36})\//;

type Deps = {
  db: Kysely<Database>;
  storage: Storage;
  nowUs: () => number;
  log: { info: (fields: object, text: string) => void };
};

/** Empties the bin of what has lain in it for 30 days: row first, files second. Call it every hour. */
export async function sweepDocuments({ db, storage, nowUs, log }: Deps): Promise<void> {
  const gone = await asSystem(db, 'sweep')
    .deleteFrom('documents')
    .where('deleted_time', '<', nowUs() - BIN_US)
    .returning('id')
    .execute();
  for (const { id } of gone) await storage.removeAll(documentFolder(id));

  const old = new Set<string>();
  for await (const { key, modifiedMs } of storage.list('documents')) {
    const id = FOLDER_ID.exec(key)?.[1];
    if (id !== undefined && modifiedMs < nowUs() / 1000 - UNOWNED_MS) old.add(id);
  }
  let unowned = 0;
  for (const id of old) {
    const row = await asSystem(db, 'sweep')
      .selectFrom('documents')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    if (row !== undefined) continue;
    await storage.removeAll(documentFolder(id));
    unowned += 1;
  }
  if (gone.length + unowned > 0) log.info({ emptied: gone.length, unowned }, 'documents removed for good');
}
