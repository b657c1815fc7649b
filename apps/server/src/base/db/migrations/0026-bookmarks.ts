import { type Kysely, sql } from 'kysely';

const statements = [
  `create table bookmarks (
    id uuid primary key default gen_random_uuid(),
    mission_id uuid not null references missions (id) on delete cascade,
    -- A mark outlives its sensor and its file, and keeps its last time.
    sensor_id uuid references sensors (id) on delete set null,
    file_id uuid,
    run integer,
    pts bigint,
    last_time bigint not null,
    title text not null,
    text text not null default '',
    color text not null,
    tags text[] not null default '{}',
    thumbnail text,
    author_id uuid references users (id) on delete set null,
    author text not null,
    editor text not null,
    created bigint not null,
    revision integer not null default 1,
    deleted_time bigint,
    check ((file_id is null) = (run is null) and (file_id is null) = (pts is null))
  )`,
  'create index bookmarks_of_mission on bookmarks (mission_id)',
  'create index bookmarks_of_sensor on bookmarks (sensor_id)',
  'create index bookmarks_of_author on bookmarks (author_id)',
  'create index bookmarks_deleted on bookmarks (deleted_time) where deleted_time is not null',
];

/** Titled moments of missions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
