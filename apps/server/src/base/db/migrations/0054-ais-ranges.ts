import { type Kysely, sql } from 'kysely';

/**
 * How far receivers of AIS hear.
 *
 * `ais_receivers`: where a receiver is, in the unit of positions (migration 0030), by its own VDO sentences or set by hand.
 *
 * `ais_ranges`: the farthest ship of each day (days since 1970, UTC) and sector of 10 degrees from true north. By source,
 * as positions are: who may not hear the source learns nothing of it.
 */
const statements = [
  `create table ais_receivers (
    sensor_id uuid primary key references platform_sensors on delete cascade,
    lat integer not null,
    lon integer not null,
    origin text not null check (origin in ('receiver', 'hand'))
  )`,
  `create table ais_ranges (
    source_id integer not null references ais_sources on delete cascade,
    day integer not null,
    sector smallint not null check (sector between 0 and 35),
    metres integer not null,
    mmsi integer not null,
    time bigint not null,
    primary key (source_id, day, sector)
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
