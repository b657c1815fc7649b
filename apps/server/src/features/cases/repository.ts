import { type Actor, AppError, type CaseFilter, type CaseRow } from '@osprey/contract';
import { type RawBuilder, sql } from 'kysely';
import { partPattern } from '../../base/db/keyset.ts';
import { casesInBin, visibleCases } from '../../base/items/visibility.ts';
import type { CaseDb } from './contents.ts';
import { type StoredCase, selectCase, toCase } from './rows.ts';
import { cutPage, isAfter, LAST_CHANGED_FIRST, readCursor, type SortKey, sortBy } from './sort.ts';

export type CaseRepository = ReturnType<typeof caseRepository>;

/** Number of rows in a response if the caller states no limit, and in the list of the bin. */
const ROWS_MAX = 500;
/** Maximum number of words evaluated in a search; further words are ignored. */
const WORDS_MAX = 10;

/** All reading of cases for an actor. */
export function caseRepository(reading: CaseDb) {
  const { db } = reading;
  return {
    /** Returns one page in the contract's shape, and the cursor of the next page (null on the last page). */
    async page(actor: Actor, filter: CaseFilter): Promise<{ rows: CaseRow[]; next: string | null }> {
      const sort: SortKey = filter.sort ?? LAST_CHANGED_FIRST;
      const limit = filter.limit ?? ROWS_MAX;
      const { value, order } = sortBy(sort);
      let query = selectCase(reading, actor, visibleCases(db, actor))
        .select(value.as('sorted_by'))
        .orderBy(order)
        .limit(limit + 1);
      for (const condition of conditions(filter)) query = query.where(condition);
      if (filter.after !== undefined) query = query.where(isAfter(readCursor(filter.after, sort)));
      const { rows, next } = cutPage(await query.execute(), { sort, limit });
      return { rows: rows.map((row) => toCase(row, actor)), next };
    },

    async count(actor: Actor, filter: CaseFilter): Promise<number> {
      let query = visibleCases(db, actor).select(sql<number>`count(*)`.as('count'));
      for (const condition of conditions(filter)) query = query.where(condition);
      return (await query.executeTakeFirstOrThrow()).count;
    },

    /** @throws AppError notFound */
    read: (actor: Actor, id: string): Promise<StoredCase> => readCase(reading, actor, id),

    async bin(actor: Actor): Promise<CaseRow[]> {
      const rows = await selectCase(reading, actor, casesInBin(db, actor))
        .orderBy('cases.deleted_time', 'desc')
        .orderBy('cases.id')
        .limit(ROWS_MAX)
        .execute();
      return rows.map((row) => toCase(row, actor));
    },
  };
}

/** The visible case of this id. @throws AppError notFound */
export async function readCase(reading: CaseDb, actor: Actor, id: string): Promise<StoredCase> {
  const row = await selectCase(reading, actor, visibleCases(reading.db, actor))
    .where('cases.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('notFound');
  return row;
}

/** Conditions of a search: a case must match every word. */
function conditions({ search }: CaseFilter): RawBuilder<boolean>[] {
  const words = (search ?? '').split(/\s+/).filter((word) => word !== '');
  return words.slice(0, WORDS_MAX).map(
    (word) => sql<boolean>`(concat_ws(E'\n', cases.name, cases.description, cases.owner) ilike ${partPattern(word)}
      or cases.number::text = ${word})`,
  );
}
