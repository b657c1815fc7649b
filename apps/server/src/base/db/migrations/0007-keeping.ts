import { type Kysely, sql } from 'kysely';

/** The bin, holds and retention; exports and imports; folders that are watched for recordings. */
const statements = [
  `alter table missions
    add column hold_reason text,
    add column hold_time bigint,
    add column hold_by uuid references users on delete set null`,
  `create index missions_in_bin on missions (deleted_time) where deleted_time is not null`,
  `create index files_by_sha256 on files (sha256)`,
  // Rows go first and files later: the worker removes the folders listed here, also after a crash in between.
  `create table doomed_folders (folder text primary key, since bigint not null)`,
  `create table tasks (
    id uuid primary key default gen_random_uuid(),
    kind text not null,
    user_id uuid not null references users on delete cascade,
    state text not null,
    title text not null,
    input jsonb not null,
    result jsonb,
    progress real not null default 0,
    attempts integer not null default 0,
    error text,
    size_bytes bigint,
    offset_bytes bigint,
    storage_key text,
    created bigint not null,
    ended bigint,
    heartbeat bigint
  )`,
  `create index tasks_open on tasks (created) where state in ('waiting', 'running')`,
  `create index tasks_by_user on tasks (user_id, kind, created)`,
  `create table retention_rules (
    id uuid primary key default gen_random_uuid(),
    usergroup_id uuid references usergroups on delete cascade,
    platform text,
    days integer not null check (days between 1 and 36500),
    created bigint not null,
    created_by uuid references users on delete set null
  )`,
  `create unique index retention_rules_one on retention_rules
    (coalesce(usergroup_id, '00000000-0000-0000-0000-000000000000'), coalesce(platform, ''))`,
  `create table watch_folders (
    id uuid primary key default gen_random_uuid(),
    path text not null constraint watch_folders_path unique,
    classification smallint check (classification between 1 and 5),
    audience text not null check (audience in ('everyone', 'groups')),
    usergroups uuid[] not null default '{}',
    platform jsonb not null,
    move_files boolean not null default false,
    enabled boolean not null default true,
    from_configuration boolean not null default false,
    user_id uuid references users on delete set null,
    problem text,
    created bigint not null
  )`,
  `create table intake_files (
    id uuid primary key default gen_random_uuid(),
    folder_id uuid not null references watch_folders on delete cascade,
    name text not null,
    size_bytes bigint not null,
    modified_ms double precision not null,
    sha256 text,
    outcome text not null check (outcome in ('taken', 'duplicate', 'refused')),
    reason text,
    mission_id uuid references missions on delete set null,
    time bigint not null,
    constraint intake_files_once unique (folder_id, name, size_bytes, modified_ms)
  )`,
  `create index intake_files_by_time on intake_files (time desc)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
