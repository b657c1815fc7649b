import type { Kysely } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import type { Storage } from '../../base/storage/storage.ts';

export type LeftoverDeps = { db: Kysely<Database>; storage: Storage };

/** Removes the files of missions and documents whose rows are deleted. Returns the number of removed folders. */
export async function removeDoomed({ db, storage }: LeftoverDeps): Promise<number> {
  const rows = await db.selectFrom('doomed_folders').select('folder').orderBy('since').execute();
  for (const { folder } of rows) {
    await storage.removeAll(folder);
    await db.deleteFrom('doomed_folders').where('folder', '=', folder).execute();
  }
  return rows.length;
}
