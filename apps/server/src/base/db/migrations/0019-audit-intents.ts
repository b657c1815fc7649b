import { type Kysely, sql } from 'kysely';

/** Changes that are under way: their rows of the audit follow them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table audit_intents (
    id uuid primary key default gen_random_uuid(),
    node text not null,
    entry jsonb not null
  )`.execute(db);
}
