import { type Kysely, sql } from 'kysely';

/** For accounts by their last access, latest first: those that never came stand last, where no index that is read backwards has them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index users_by_latest_access on users (last_access desc nulls last, id)`.execute(db);
}
