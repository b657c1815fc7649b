import { type Kysely, sql } from 'kysely';

/** Facts known when a file came outlive every reading of it, which overwrites `message`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table files add column remark text`.execute(db);
}
