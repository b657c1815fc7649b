import { type Kysely, sql } from 'kysely';

/**
 * Messages of AIS receivers. Each row belongs to a source: a sensor of a platform, and the mission that it was recorded
 * into at the time, or none. Rights are those of the source, so nothing is kept by MMSI alone.
 *
 * Positions are stored as integers: latitude and longitude in 1/600,000 of a degree (1/10,000 of a minute, the unit of
 * ITU-R M.1371-5), speed and course in tenths. Null is "not available".
 *
 * Positions of no mission go to a table with a partition for each day of UTC. The role of the server owns no tables, so
 * two functions of the owner make and drop partitions. Positions of a mission go with their source, and it with its
 * mission.
 */
const position = `
    source_id integer not null,
    mmsi integer not null,
    time bigint not null,
    lat integer not null,
    lon integer not null,
    sog smallint,
    cog smallint,
    heading smallint,
    turn smallint,
    status smallint,
    message_type smallint not null,
    fix_type smallint,
    flags smallint not null`;

const statements = [
  `create table ais_sources (
    id integer generated always as identity primary key,
    sensor_id uuid not null,
    name text not null,
    platform_id uuid references platforms on delete cascade,
    mission_id uuid references missions on delete cascade,
    created bigint not null,
    constraint ais_sources_sensor unique nulls not distinct (sensor_id, mission_id)
  )`,
  `create index ais_sources_platform on ais_sources (platform_id)`,
  `create index ais_sources_mission on ais_sources (mission_id)`,

  // Bytes up to which a file of the recorder has become rows.
  `create table ais_files (
    key text primary key,
    source_id integer not null references ais_sources on delete cascade,
    read_bytes bigint not null
  )`,

  `create table ais_last (${position},
    primary key (source_id, mmsi),
    foreign key (source_id) references ais_sources on delete cascade
  ) with (fillfactor = 50)`,

  `create table ais_vessels (
    source_id integer not null references ais_sources on delete cascade,
    mmsi integer not null,
    time bigint not null,
    name text,
    call_sign text,
    imo integer,
    ship_type smallint,
    aid_type smallint,
    to_bow smallint,
    to_stern smallint,
    to_port smallint,
    to_starboard smallint,
    draught smallint,
    destination text,
    eta text,
    fix_type smallint,
    is_virtual boolean,
    primary key (source_id, mmsi)
  ) with (fillfactor = 70)`,

  // Names that a station had, for finding it by a former one.
  `create table ais_names (
    source_id integer not null references ais_sources on delete cascade,
    mmsi integer not null,
    name text not null,
    first_time bigint not null,
    last_time bigint not null,
    primary key (source_id, mmsi, name)
  )`,

  `create table ais_positions (${position}) partition by range (time)`,
  `create index ais_positions_track on ais_positions (mmsi, source_id, time)`,
  // Rows come in the order of their times: a small index finds those of some minutes.
  `create index ais_positions_time on ais_positions using brin (time)`,

  `create table ais_mission_positions (${position},
    foreign key (source_id) references ais_sources on delete cascade
  )`,
  `create index ais_mission_positions_track on ais_mission_positions (mmsi, source_id, time)`,
  `create index ais_mission_positions_source on ais_mission_positions (source_id, time)`,

  `create function ais_make_partition(of_time bigint) returns void
    language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      first bigint := of_time / 86400000000 * 86400000000;
      name text := 'ais_positions_' || to_char(to_timestamp(first / 1000000) at time zone 'UTC', 'YYYYMMDD');
    begin
      if to_regclass(name) is not null then return; end if;
      perform pg_advisory_xact_lock(hashtext('ais_make_partition'));
      if to_regclass(name) is not null then return; end if;
      execute format('create table %I partition of ais_positions for values from (%s) to (%s)',
        name, first, first + 86400000000);
    end $$`,
  `create function ais_drop_partitions(before_time bigint) returns integer
    language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      part text;
      dropped integer := 0;
    begin
      for part in
        select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'ais_positions'::regclass
          and c.relname < 'ais_positions_' || to_char(to_timestamp(before_time / 1000000) at time zone 'UTC', 'YYYYMMDD')
      loop
        execute format('drop table %I', part);
        dropped := dropped + 1;
      end loop;
      return dropped;
    end $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
