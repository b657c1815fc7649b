import { type Expression, sql } from 'kysely';
import { asSystem, type Db } from '../../../base/access/as-system.ts';

/** Selects the sizes of the existing packages that a user has made. */
export const packagesOf = (db: Db, userId: string): Expression<{ size_bytes: number }> =>
  asSystem(db, 'upload')
    .selectFrom('case_exports')
    .where('created_by_id', '=', userId)
    .where('state', '=', 'Ready')
    .select(sql<number>`coalesce(size_bytes, 0)`.as('size_bytes'));
