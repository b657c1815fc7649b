import type { Kysely } from 'kysely';
import { asSystem } from '../access/visibility.ts';
import type { Database } from '../db/schema.ts';
import type { Storage } from '../storage/storage.ts';

/** A folder without rows may belong to work that has not written them yet. */
const UNOWNED_MS = 24 * 3_600_000;

export type LeftoverDeps = { db: Kysely<Database>; storage: Storage };

/** Removes the files of missions whose rows are gone. Answers how many folders went. */
export async function removeDoomed({ db, storage }: LeftoverDeps): Promise<number> {
  const rows = await db.selectFrom('doomed_folders').select('folder').orderBy('since').execute();
  for (const { folder } of rows) {
    await storage.removeAll(folder);
    await db.deleteFrom('doomed_folders').where('folder', '=', folder).execute();
  }
  return rows.length;
}

/** Indexes, originals and pictures that no sensor and no mission owns: an ending of a crash that nobody foresaw. */
export async function sweepOrphans({ db, storage }: LeftoverDeps, nowMs: number): Promise<string[]> {
  const removed: string[] = [];
  for (const [top, table] of [
    ['originals', 'sensors'],
    ['indexes', 'sensors'],
    ['pictures', 'missions'],
  ] as const) {
    for (const [id, newestMs] of await foldersOf(storage, top)) {
      if (newestMs > nowMs - UNOWNED_MS || !UUID.test(id)) continue;
      const owner = await asSystem(db, 'sweep').selectFrom(table).select('id').where('id', '=', id).executeTakeFirst();
      if (owner !== undefined) continue;
      await storage.removeAll(`${top}/${id}`);
      removed.push(`${top}/${id}`);
    }
  }
  return removed;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Names of the folders below `top` with the time of their newest file. */
async function foldersOf(storage: Storage, top: string): Promise<Map<string, number>> {
  const newest = new Map<string, number>();
  for await (const { key, modifiedMs } of storage.list(top)) {
    const id = key.split('/')[1] ?? '';
    newest.set(id, Math.max(newest.get(id) ?? 0, modifiedMs));
  }
  return newest;
}
