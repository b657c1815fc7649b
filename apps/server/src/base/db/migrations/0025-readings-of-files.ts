import { type Kysely, sql } from 'kysely';

/** Users' choices for a file outlive every reading of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table files add column reading jsonb`.execute(db);
}
