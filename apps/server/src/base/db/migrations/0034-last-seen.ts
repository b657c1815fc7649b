import { type Kysely, sql } from 'kysely';

/**
 * The index of seen ground grows while a mission records: how far each growing file was read, and when all of it had
 * been. A second table holds, for each area of a coarse grid and each hour of a sensor, the seconds in which each of
 * its cells was seen; `seen` says whether these were made from the minutes, `cells` which cells all of the sensor met.
 * All of it can be made again from the telemetry.
 */
const statements = [
  `alter table coverage_sensors
    add column cells bigint[],
    add column live_read jsonb,
    add column caught_up bigint,
    add column seen boolean not null default false`,
  // Rows are chosen by cells and sensor; the columns read afterwards are stored out of line, and are packed already.
  'alter table coverage_minutes set (toast_tuple_target = 128)',
  'alter table coverage_minutes alter column footprints set storage external',
  'create index coverage_sensors_unseen on coverage_sensors (sensor_id) where not seen',
  `create table coverage_seen (
    area bigint not null,
    sensor_id uuid not null references coverage_sensors on delete cascade,
    hour int not null,
    last bytea not null,
    runs bytea not null,
    primary key (area, sensor_id, hour)
  )`,
  'create index coverage_seen_by_sensor on coverage_seen (sensor_id, hour)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
