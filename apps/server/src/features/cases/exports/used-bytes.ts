import { type Expression, sql } from 'kysely';
import { asSystem, type Db } from '../../../base/access/as-system.ts';

/** Sizes of the packages that a user has made and that are still there. */
export const packagesOf = (db: Db, userId: string): Expression<{ size_bytes: number }> =>
  asSystem(db, 'upload')
    .selectFrom('case_exports')
    .where('created_by_id', '=', userId)
    .where('state', '=', 'Ready')
    .select(sql<number>`coalesce(size_bytes, 0)`.as('size_bytes'));
