import { type Kysely, sql } from 'kysely';

/** Runs of backups with their outcomes. The backups themselves are known by their folder. */
const statements = [
  `create table backup_runs (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    kind text not null check (kind in ('create', 'verify', 'delete')),
    origin text not null check (origin in ('schedule', 'manual', 'command', 'migration')),
    state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
    progress real not null default 0,
    error text,
    requested_by uuid references users on delete set null,
    created bigint not null,
    finished bigint
  )`,
  `create index backup_runs_open on backup_runs (created) where state in ('waiting', 'running')`,
  `create index backup_runs_by_name on backup_runs (name, created desc)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
