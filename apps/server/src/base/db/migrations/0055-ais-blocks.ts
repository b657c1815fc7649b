import { type Kysely, sql } from 'kysely';

const columns = 'source_id, mmsi, time, lat, lon, sog, cog, heading, turn, status, message_type, fix_type, flags';
const lists = 'mmsi, after, lat, lon, sog, cog, heading, turn, status, message_type, fix_type, flags';
const listsOfBlock = lists.replaceAll(/(\w+)/g, 'block.$1');

/**
 * Positions of no mission are packed as those of missions are (migration 0047), within an hour: `ais_blocks`, with a
 * partition for each day, and the stations of each block, by which the positions of one are found. View `ais_rolling` gives
 * rows of both.
 *
 * Rows have a partition for each half hour, which is dropped once it is packed: nothing is left for a vacuum. It is
 * attached after it was made, because `create table ... partition of` would wait for all readers. Partitions of whole days
 * from before this version stay until they are packed.
 */
const statements = [
  `create table ais_blocks (like ais_mission_blocks, ships integer[] not null) partition by range (start_time)`,
  `create index ais_blocks_of_source on ais_blocks (source_id, first_time)`,
  `create index ais_blocks_of_ship on ais_blocks using gin (ships) with (fastupdate = off)`,
  `create view ais_rolling as
    select ${columns}, time as block_first, time as block_last, mmsi as block_first_mmsi, mmsi as block_last_mmsi,
      time as block_start
    from ais_positions
    union all
    select block.source_id, one.mmsi, block.start_time + one.after as time, one.lat, one.lon, one.sog, one.cog, one.heading,
      one.turn, one.status, one.message_type, one.fix_type, one.flags, block.first_time, block.last_time, block.first_mmsi,
      block.last_mmsi, block.start_time
    from ais_blocks block, unnest(${listsOfBlock}) as one (${lists})`,

  `create or replace function ais_make_partition(of_time bigint) returns void
    language plpgsql security definer set search_path = public, pg_temp set client_min_messages = warning as $$
    declare
      day bigint := of_time / 86400000000 * 86400000000;
      first bigint := of_time / 1800000000 * 1800000000;
      of_day text := to_char(to_timestamp(day / 1000000) at time zone 'UTC', 'YYYYMMDD');
      name text := 'ais_positions_' || to_char(to_timestamp(first / 1000000) at time zone 'UTC', 'YYYYMMDD_HH24MI');
    begin
      if to_regclass('ais_blocks_' || of_day) is not null
        and coalesce(to_regclass(name), to_regclass('ais_positions_' || of_day)) is not null then return; end if;
      perform pg_advisory_xact_lock(hashtext('ais_make_partition'));
      execute format('create table if not exists %I partition of ais_blocks for values from (%s) to (%s)',
        'ais_blocks_' || of_day, day, day + 86400000000);
      if to_regclass('ais_positions_' || of_day) is not null then return; end if;
      execute format('create table if not exists %I (like ais_positions including all)', name);
      if not exists (select from pg_inherits where inhrelid = to_regclass(name)) then
        execute format('alter table ais_positions attach partition %I for values from (%s) to (%s)',
          name, first, first + 1800000000);
      end if;
    end $$`,

  // Packed or not, whole days go.
  `create or replace function ais_drop_partitions(before_time bigint) returns integer
    language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      part text;
      dropped integer := 0;
    begin
      for part in
        select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent in ('ais_positions'::regclass, 'ais_blocks'::regclass)
          and substring(c.relname from '_([0-9]{8})') < to_char(to_timestamp(before_time / 1000000) at time zone 'UTC', 'YYYYMMDD')
      loop
        execute format('drop table %I', part);
        dropped := dropped + 1;
      end loop;
      return dropped;
    end $$`,

  // Readers of other partitions are not to wait behind it for long: it comes back later.
  `create function ais_drop_empty(name text) returns boolean
    language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
    declare
      has_rows boolean;
    begin
      if name !~ '^ais_positions_[0-9]{8}(_[0-9]{4})?$' then raise exception 'No partition of positions: %', name; end if;
      lock table ais_positions in access exclusive mode;
      if to_regclass(name) is null then return false; end if;
      execute format('select exists (select from %I)', name) into has_rows;
      if not has_rows then execute format('drop table %I', name); end if;
      return not has_rows;
    end $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
