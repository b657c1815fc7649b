import type { Kysely } from 'kysely';
import { asSystem } from '../base/access/as-system.ts';
import type { Database } from '../base/db/schema.ts';
import type { Storage } from '../base/storage/storage.ts';
import { EXPIRES_MS, type TusStore } from './tus-store.ts';

/** Time without new bytes after which a form counts as abandoned. */
const FORM_IDLE_MS = 3_600_000;
const BATCH = 500;
const FILE_ID = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})[^/]*$/;

export type SweepDeps = {
  db: Kysely<Database>;
  storage: Storage;
  uploads: TusStore;
  nowUs: () => number;
  log: { info: (fields: object, text: string) => void };
};

/**
 * Removes uploads that no client will continue: expired resumable uploads, and forms that were interrupted. Must be
 * called at start, with `startedMs` the start time of this process, and then every hour.
 */
export async function sweepUploads(deps: SweepDeps, startedMs: number): Promise<void> {
  const { db, storage, uploads, nowUs, log } = deps;
  const expired = await db
    .selectFrom('uploads')
    .selectAll()
    .where('updated', '<', nowUs() - EXPIRES_MS * 1000)
    .execute();
  for (const row of expired) await uploads.remove(row);

  const nowMs = nowUs() / 1000;
  // Writers that began before this process started no longer exist; only resumable uploads survive a restart.
  const isCut = (modifiedMs: number) => modifiedMs < Math.max(startedMs, nowMs - FORM_IDLE_MS);
  const cut = await removeCut(deps, isCut);
  const temporary = await storage.sweep(FORM_IDLE_MS);
  if (expired.length + cut + temporary > 0) {
    log.info({ expired: expired.length, cut, temporary }, 'leftovers of uploads removed');
  }
}

async function removeCut({ db, storage }: SweepDeps, isCut: (modifiedMs: number) => boolean): Promise<number> {
  let removed = 0;
  let batch: { id: string; key: string }[] = [];

  async function removeBatch(): Promise<void> {
    const ids = batch.map(({ id }) => id);
    const existing = await existingIds(db, ids);
    for (const { id, key } of batch) {
      if (existing.has(id)) continue;
      await storage.remove(key);
      removed += 1;
    }
    batch = [];
  }

  for await (const { key, modifiedMs } of storage.list('uploads')) {
    const id = FILE_ID.exec(key)?.[1];
    if (id === undefined || !isCut(modifiedMs)) continue;
    batch.push({ id, key });
    if (batch.length === BATCH) await removeBatch();
  }
  if (batch.length > 0) await removeBatch();
  return removed;
}

/** Returns the ids that exist as files or uploads: an upload becomes the file with the same id. */
async function existingIds(db: Kysely<Database>, ids: string[]): Promise<Set<string>> {
  const files = await asSystem(db, 'sweep').selectFrom('files').select('id').where('id', 'in', ids).execute();
  const begun = await db.selectFrom('uploads').select('id').where('id', 'in', ids).execute();
  return new Set([...files, ...begun].map(({ id }) => id));
}
