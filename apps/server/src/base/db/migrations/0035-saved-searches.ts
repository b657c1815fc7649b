import { type Kysely, sql } from 'kysely';

/** Questions of Find by place that people keep, each for themselves. */
const statements = [
  `create table saved_searches (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users on delete cascade,
    name text not null,
    question jsonb not null,
    created bigint not null,
    unique (user_id, name)
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
