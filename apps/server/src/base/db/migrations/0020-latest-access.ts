import { type Kysely, sql } from 'kysely';

/**
 * For accounts by their last access, latest first: those without any come last, where an index that is read backwards
 * does not have them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index users_by_latest_access on users (last_access desc nulls last, id)`.execute(db);
}
