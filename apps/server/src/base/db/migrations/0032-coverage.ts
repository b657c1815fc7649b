import { type Kysely, sql } from 'kysely';

/**
 * Where every sensor looked, and when: for each minute of its own clock, before any shift, the footprints of that minute and
 * the cells of a grid that they meet. A row of coverage_sensors says which index of a sensor the minutes were made from. All
 * of it can be made again from the telemetry.
 */
const statements = [
  `create table coverage_sensors (
    sensor_id uuid primary key references sensors on delete cascade,
    index_key text not null,
    footprints bigint not null,
    failed boolean not null default false
  )`,
  `create table coverage_minutes (
    sensor_id uuid not null references coverage_sensors on delete cascade,
    minute int not null,
    cells bigint[] not null default '{}',
    footprints bytea not null,
    primary key (sensor_id, minute)
  )`,
  // Compared columns stay narrow; footprints are read for the rows that remain.
  'create index coverage_minutes_cells on coverage_minutes using gin (cells) with (fastupdate = off)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
