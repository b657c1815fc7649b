import { type Kysely, sql } from 'kysely';

const columns = 'source_id, mmsi, time, lat, lon, sog, cog, heading, turn, status, message_type, fix_type, flags';

/**
 * Packed forms of ships' positions.
 *
 * `ais_minutes`: the last position of each station in one minute of UTC of one source, from which the map of a past
 * moment is drawn. A copy, made some minutes later and deleted when one of its positions changes: see
 * features/ais/minutes.ts.
 *
 * `ais_mission_blocks`: positions of ended missions, which are stored nowhere else: up to some thousand of one source
 * and of half an hour, by station and time, a list for each column. Lists compress well, and have no head and no index
 * for each position. Times are microseconds after `start_time`. View `ais_recorded` gives rows of both, with the bounds
 * of their block, by which a query leaves out blocks without looking into them: see features/ais/blocks.ts.
 *
 * `ais_make_partition`: two that began the same day at once both made it. A server that waited for the lock may still
 * remember that there was no such table; `if not exists` checks again.
 */
const statements = [
  `create table ais_minutes (
    source_id integer not null references ais_sources on delete cascade,
    minute integer not null,
    ships bytea not null,
    primary key (source_id, minute)
  )`,
  // Packed already.
  `alter table ais_minutes alter column ships set storage external`,

  `create table ais_mission_blocks (
    source_id integer not null references ais_sources on delete cascade,
    start_time bigint not null,
    first_time bigint not null,
    last_time bigint not null,
    first_mmsi integer not null,
    last_mmsi integer not null,
    positions integer not null,
    mmsi integer[] not null,
    after integer[] not null,
    lat integer[] not null,
    lon integer[] not null,
    sog smallint[] not null,
    cog smallint[] not null,
    heading smallint[] not null,
    turn smallint[] not null,
    status smallint[] not null,
    message_type smallint[] not null,
    fix_type smallint[] not null,
    flags smallint[] not null
  )`,
  `create index ais_mission_blocks_of_source on ais_mission_blocks (source_id, first_time)`,
  `create view ais_recorded as
    select ${columns}, time as block_first, time as block_last, mmsi as block_first_mmsi, mmsi as block_last_mmsi
    from ais_mission_positions
    union all
    select block.source_id, one.mmsi, block.start_time + one.after as time, one.lat, one.lon, one.sog, one.cog, one.heading,
      one.turn, one.status, one.message_type, one.fix_type, one.flags, block.first_time, block.last_time, block.first_mmsi,
      block.last_mmsi
    from ais_mission_blocks block, unnest(block.mmsi, block.after, block.lat, block.lon, block.sog, block.cog,
      block.heading, block.turn, block.status, block.message_type, block.fix_type, block.flags)
      as one (mmsi, after, lat, lon, sog, cog, heading, turn, status, message_type, fix_type, flags)`,

  `create or replace function ais_make_partition(of_time bigint) returns void
    language plpgsql security definer set search_path = public, pg_temp set client_min_messages = warning as $$
    declare
      first bigint := of_time / 86400000000 * 86400000000;
      name text := 'ais_positions_' || to_char(to_timestamp(first / 1000000) at time zone 'UTC', 'YYYYMMDD');
    begin
      if to_regclass(name) is not null then return; end if;
      perform pg_advisory_xact_lock(hashtext('ais_make_partition'));
      execute format('create table if not exists %I partition of ais_positions for values from (%s) to (%s)',
        name, first, first + 86400000000);
    end $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
