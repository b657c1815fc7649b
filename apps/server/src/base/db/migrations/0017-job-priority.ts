import { type Kysely, sql } from 'kysely';

/** 0: in its turn, 1: before those that wait, 2: takes moments, and has workers of its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table jobs add column priority smallint not null default 0`.execute(db);
}
