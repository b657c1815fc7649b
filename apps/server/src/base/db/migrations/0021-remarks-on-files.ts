import { type Kysely, sql } from 'kysely';

/** What was known of a file when it came outlives every reading of it, which writes `message` anew. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table files add column remark text`.execute(db);
}
