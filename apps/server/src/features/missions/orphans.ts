import { type Kysely, sql } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { moveToLost } from '../../base/storage/lost.ts';
import type { Storage } from '../../base/storage/storage.ts';

/**
 * Minimum age of files without a row, in milliseconds. Younger files may belong to running work, such as unpacking a
 * large archive.
 */
const UNOWNED_MS = 24 * 3_600_000;
const BATCH = 500;
const ID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const FOLDER_ID = new RegExp(`^[^/]+/(${ID})/`);
const FILE_ID = new RegExp(`/(${ID})[^/]*$`);

type Owner = 'sensors' | 'missions' | 'documents' | 'files' | 'uploads';

/**
 * Folders of the storage, with the tables whose ids name their subfolders. An upload later becomes a row with the same
 * id.
 */
const OWNERS: readonly (readonly [string, readonly Owner[]])[] = [
  ['originals', ['sensors']],
  ['indexes', ['sensors']],
  ['renditions', ['sensors']],
  ['pictures', ['missions']],
  ['documents', ['documents', 'uploads']],
];

export type OrphanDeps = { db: Kysely<Database>; storage: Storage };

/**
 * Moves files aside that are at least a day old and have no row, because of a crash or because the database was
 * restored from an old backup. They may be the only copy of a recording, so they are not deleted.
 */
export async function putOrphansAside({ db, storage }: OrphanDeps, nowMs: number): Promise<string[]> {
  const oldMs = nowMs - UNOWNED_MS;
  const orphans = new Set<string>();
  for (const [top, owners] of OWNERS) {
    for (const id of await withoutOwner(db, owners, await oldFolders(storage, top, oldMs))) {
      for await (const { key } of storage.list(`${top}/${id}`)) orphans.add(key);
    }
  }
  const originals = await oldOriginals(storage, oldMs);
  for (const id of await withoutOwner(db, ['files', 'uploads'], [...originals.keys()])) orphans.add(originals.get(id)!);
  // Read after the tables, so that folders of rows deleted meanwhile are included; these are removed anyway.
  const doomed = await db.selectFrom('doomed_folders').select('folder').execute();
  const keys = [...orphans].filter((key) => !doomed.some(({ folder }) => key.startsWith(`${folder}/`)));
  return moveToLost(storage, keys, nowMs);
}

/** Ids of the folders that contain no file younger than `oldMs`. */
async function oldFolders(storage: Storage, top: string, oldMs: number): Promise<string[]> {
  const isOld = new Map<string, boolean>();
  for await (const { key, modifiedMs } of storage.list(top)) {
    const id = FOLDER_ID.exec(key)?.[1];
    if (id !== undefined) isOld.set(id, modifiedMs < oldMs && isOld.get(id) !== false);
  }
  return [...isOld].filter(([, old]) => old).map(([id]) => id);
}

/** Paths of originals, by file id. */
async function oldOriginals(storage: Storage, oldMs: number): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  for await (const { key, modifiedMs } of storage.list('originals')) {
    const id = FILE_ID.exec(key)?.[1];
    if (id !== undefined && modifiedMs < oldMs) places.set(id, key);
  }
  return places;
}

/** Returns the ids that are in none of the tables. */
async function withoutOwner(db: Kysely<Database>, owners: readonly Owner[], ids: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  for (let at = 0; at < ids.length; at += BATCH) {
    const batch = new Set(ids.slice(at, at + BATCH));
    for (const owner of owners) {
      const rows = await asSystem(db, 'sweep')
        .selectFrom(owner)
        .select('id')
        .where(sql<boolean>`id = any (${[...batch]}::uuid[])`)
        .execute();
      for (const { id } of rows) batch.delete(id);
    }
    left.push(...batch);
  }
  return left;
}
