import { type Kysely, sql } from 'kysely';

/** Credentials of programs do not end by lying idle. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table credentials add column for_script boolean not null default false').execute(db);
}
