import { type Kysely, sql } from 'kysely';

/** Platforms as their configuration says, and the configurations that were before. */
const statements = [
  `create table platforms (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    description text not null,
    type text not null,
    color text not null,
    classification smallint not null check (classification between 1 and 5),
    marked boolean not null,
    audience text not null check (audience in ('everyone', 'groups')),
    priority smallint not null check (priority between 1 and 9),
    autostart boolean not null,
    record jsonb not null,
    created bigint not null,
    updated bigint not null,
    deleted_time bigint
  )`,
  `create index platforms_by_name on platforms (name) where deleted_time is null`,
  `create table platform_usergroups (
    platform_id uuid not null references platforms on delete cascade,
    usergroup_id uuid not null references usergroups on delete cascade,
    primary key (platform_id, usergroup_id)
  )`,
  `create index platform_usergroups_by_group on platform_usergroups (usergroup_id, platform_id)`,
  `create table platform_sensors (
    id uuid primary key default gen_random_uuid(),
    platform_id uuid not null references platforms on delete cascade,
    name text not null,
    description text not null,
    type text not null,
    url text not null,
    secret text,
    senders text[] not null,
    position integer not null,
    constraint platform_sensors_name unique (platform_id, name)
  )`,
  `create table platform_versions (
    version integer primary key,
    created bigint not null,
    author_id uuid references users on delete set null,
    platforms jsonb not null
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
