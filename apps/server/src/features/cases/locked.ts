import { type Actor, AppError } from '@osprey/contract';
import { sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { lockRows } from '../../base/items/lock-rows.ts';
import { visibleCases } from '../../base/items/visibility.ts';
import { type CaseDb, idsByTable } from './contents.ts';
import { readCase } from './repository.ts';
import { type StoredCase, selectCase } from './rows.ts';

/** Reads a case and locks it. @throws AppError notFound where it is hidden or absent */
export async function lockedCase(tx: CaseDb, actor: Actor, id: string): Promise<StoredCase> {
  await readCase(tx, actor, id);
  await lock(tx.db, [id]);
  return readCase(tx, actor, id);
}

/** Reads and locks cases in the order of their ids. @throws AppError notFound where one is hidden or absent */
export async function lockedCases(tx: CaseDb, actor: Actor, ids: readonly string[]): Promise<StoredCase[]> {
  await lock(tx.db, ids);
  const rows = await selectCase(tx, actor, visibleCases(tx.db, actor))
    .where('cases.id', 'in', [...ids])
    .orderBy('cases.id')
    .execute();
  if (rows.length < new Set(ids).size) throw new AppError('notFound');
  return rows;
}

async function lock(tx: Db, ids: readonly string[]): Promise<void> {
  await asSystem(tx, 'authorized change')
    .selectFrom('cases')
    .select('id')
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forUpdate()
    .execute();
}

/**
 * Locks the parts before the case is placed on hold, so that a simultaneous deletion either comes first or is refused.
 */
export async function lockHeld({ db, contents }: CaseDb, caseId: string): Promise<void> {
  const parts = await asSystem(db, 'authorized change')
    .selectFrom('case_parts')
    .where('case_id', '=', caseId)
    .select(['kind', 'subject_id as id', 'mission_id'])
    .execute();
  const missions = parts.flatMap(({ mission_id }) => mission_id ?? []);
  await lockRows(db, 'missions', missions);
  for (const [table, ids] of idsByTable(contents, parts)) await lockRows(db, table, ids);
}

/**
 * Records that a case changed. A text written into the case has the case's current label, which from then on is the
 * minimum label of the case, whatever parts are added or removed later.
 */
export async function touchCase(
  tx: Db,
  id: string,
  { nowUs, wrote, revised = true }: { nowUs: number; wrote: boolean; revised?: boolean },
): Promise<void> {
  await asSystem(tx, 'authorized change')
    .updateTable('cases')
    .set({ changed: nowUs })
    .$if(wrote, (query) => query.set({ own_classification: sql`classification` }))
    .$if(revised, (query) => query.set({ revision: sql`revision + 1` }))
    .where('id', '=', id)
    .execute();
}
