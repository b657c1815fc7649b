import { EXPORT_RETENTION_MS } from '@osprey/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import type { Storage } from '../../base/storage/storage.ts';

/** Retention of import reports, and of uploads that were not continued, in milliseconds. */
const IMPORT_RETENTION_MS = 30 * 24 * 3_600_000;
const UPLOAD_RETENTION_MS = 72 * 3_600_000;
const TASK_ID = /^(?:exports|imports)\/([0-9a-f-]{36})\./;

/** Removes expired exports and imports, and files that belong to no task. */
export async function sweepTasks(
  { db, storage }: { db: Kysely<Database>; storage: Storage },
  nowUs: number,
): Promise<number> {
  const before = (ms: number) => nowUs - ms * 1000;
  const old = await db
    .deleteFrom('tasks')
    .where((eb) =>
      eb.or([
        eb('kind', '=', 'export').and('ended', '<', before(EXPORT_RETENTION_MS)),
        eb('kind', '=', 'import').and('ended', '<', before(IMPORT_RETENTION_MS)),
        eb('state', '=', 'uploading').and('heartbeat', '<', before(UPLOAD_RETENTION_MS)),
      ]),
    )
    .returning('id')
    .execute();
  const existing = new Set((await db.selectFrom('tasks').select('id').execute()).map(({ id }) => id));
  for (const folder of ['exports', 'imports']) {
    for await (const { key, modifiedMs } of storage.list(folder)) {
      const id = TASK_ID.exec(key)?.[1];
      const isNew = modifiedMs > nowUs / 1000 - 3_600_000;
      if (id !== undefined && !existing.has(id) && !isNew) await storage.remove(key);
    }
  }
  return old.length;
}
