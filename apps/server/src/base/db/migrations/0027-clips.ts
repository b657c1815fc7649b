import { type Kysely, sql } from 'kysely';

const statements = [
  `create table clips (
    id uuid primary key default gen_random_uuid(),
    mission_id uuid not null references missions (id) on delete cascade,
    title text not null,
    note text not null default '',
    tags text[] not null default '{}',
    author_id uuid references users (id) on delete set null,
    author text not null,
    editor text not null,
    created bigint not null,
    revision integer not null default 1
  )`,
  'create index clips_of_mission on clips (mission_id)',
  'create index clips_of_author on clips (author_id)',
  `create table clip_cuts (
    clip_id uuid not null references clips (id) on delete cascade,
    position integer not null,
    -- A clip outlives its sensor and its files, and keeps its last times.
    sensor_id uuid references sensors (id) on delete set null,
    in_file uuid,
    in_run integer,
    in_pts bigint,
    out_file uuid,
    out_run integer,
    out_pts bigint,
    in_time bigint not null,
    out_time bigint not null,
    primary key (clip_id, position),
    check ((in_file is null) = (in_run is null) and (in_file is null) = (in_pts is null)),
    check ((out_file is null) = (out_run is null) and (out_file is null) = (out_pts is null)),
    check ((in_file is null) = (out_file is null))
  )`,
  'create index clip_cuts_of_sensor on clip_cuts (sensor_id)',
];

/** Spans of missions that are kept as recipes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
