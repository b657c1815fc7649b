import { type Kysely, sql } from 'kysely';
import { asSystem } from '../../../base/access/as-system.ts';
import type { Database } from '../../../base/db/schema.ts';
import type { Storage } from '../../../base/storage/storage.ts';
import { packageKey } from './repository.ts';

const DAY_MS = 24 * 3_600_000;
const NEW_MS = 3_600_000;
const PACKAGE_ID = /^exports\/case-([0-9a-f-]{36})\.zip$/;

export type SweepDeps = {
  db: Kysely<Database>;
  storage: Storage;
  nowUs: () => number;
  changed: (noun: 'cases', ids: string[]) => void;
};

/** Removes expired packages and files that belong to no version, and marks versions whose file is missing. */
export async function sweepCaseExports({ db, storage, nowUs, changed }: SweepDeps): Promise<void> {
  const gone = { state: 'Removed' as const, storage_key: null };
  const expired = await asSystem(db, 'case')
    .updateTable('case_exports')
    .set({ ...gone, message: 'It was kept for 7 days.' })
    .where('expires_time', '<', nowUs())
    .where('state', 'in', ['Ready', 'WaitsForRelease'])
    .returning(['id', 'case_id'])
    .execute();
  for (const { id } of expired) await storage.remove(packageKey(id));
  const ready = await asSystem(db, 'case')
    .selectFrom('case_exports')
    .where('state', '=', 'Ready')
    .select(['id', 'case_id'])
    .execute();
  // Backups do not contain packages, and the disk may have been replaced.
  const lost = [];
  for (const one of ready) if ((await storage.stat(packageKey(one.id))) === null) lost.push(one);
  for (const { id } of lost) {
    await asSystem(db, 'case')
      .updateTable('case_exports')
      .set({ ...gone, message: 'Its file is not on the server any more.' })
      .where('id', '=', id)
      .execute();
  }
  const orphaned = await asSystem(db, 'case')
    .updateTable('case_exports')
    .set({ state: 'Failed', message: 'The account that asked for it was deleted.', job_id: null })
    .where('state', '=', 'Making')
    .where(sql<boolean>`not exists (select from tasks where tasks.id = case_exports.job_id)`)
    .returning('case_id')
    .execute();
  const touched = [...expired, ...lost, ...orphaned].map(({ case_id }) => case_id);
  if (touched.length > 0) changed('cases', [...new Set(touched)]);
  await db
    .deleteFrom('tasks')
    .where('kind', '=', 'caseExport')
    .where('ended', '<', nowUs() - DAY_MS * 1000)
    .execute();
  const existing = new Set(
    (
      await asSystem(db, 'case')
        .selectFrom('case_exports')
        .where('state', 'in', ['Ready', 'Making'])
        .select('id')
        .execute()
    ).map(({ id }) => id),
  );
  for await (const { key, modifiedMs } of storage.list('exports')) {
    const id = PACKAGE_ID.exec(key)?.[1];
    const isNew = modifiedMs > nowUs() / 1000 - NEW_MS;
    if (id !== undefined && !existing.has(id) && !isNew) await storage.remove(key);
  }
}
