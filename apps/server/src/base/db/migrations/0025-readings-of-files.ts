import { type Kysely, sql } from 'kysely';

/** What somebody chose for a file outlives every reading of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table files add column reading jsonb`.execute(db);
}
