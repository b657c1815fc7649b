import { sql } from 'kysely';
import type { Db } from '../../base/access/as-system.ts';
import { type Batch, FUTURE_US, type Position, type Vessel } from './batch.ts';
import { forgetMinutes, MINUTE_US, settled } from './minutes.ts';
import { MISSIONS, POSITION_COLUMNS, ROLLING, SLOT_US } from './positions.ts';

/**
 * Time since the beginning of a half hour within which its partition is never dropped, in microseconds. Within it, the
 * partition need not be created again.
 */
const RECENT_US = 40 * 60_000_000;

type ToWrite = {
  sourceId: number;
  isMission: boolean;
  batch: Batch;
  /** Half hours whose partition certainly exists. Those created in this transaction are added once it is committed. */
  made: ReadonlySet<number>;
  nowUs: number;
};

/** Half hours of these positions, by the number of their partition. */
export const slotsOf = (positions: readonly Position[]): Set<number> =>
  new Set(positions.map(({ time }) => Math.floor(time / SLOT_US)));

/**
 * Writes what a source received: each position once, and for each station one last state and one row of static data.
 */
export async function writeBatch(tx: Db, { sourceId, isMission, batch, made, nowUs }: ToWrite): Promise<void> {
  const { positions, last, vessels, names } = batch;
  if (positions.length > 0) {
    if (!isMission) await makePartitions(tx, positions, { made, nowUs });
    const minutes = new Set(positions.map(({ time }) => Math.floor(time / MINUTE_US)));
    await forgetMinutes(tx, sourceId, settled(minutes, nowUs));
    await insertHeard(tx, sourceId, [...minutes]);
    await insertPositions(tx, (isMission ? MISSIONS : ROLLING).rows, sourceId, positions);
  }
  if (last.size > 0) await upsertLast(tx, sourceId, { rows: [...last.values()], nowUs });
  if (vessels.size > 0) await upsertVessels(tx, sourceId, [...vessels.values()]);
  if (names.size > 0) await upsertNames(tx, sourceId, [...names.values()]);
}

async function makePartitions(
  tx: Db,
  positions: readonly Position[],
  { made, nowUs }: Pick<ToWrite, 'made' | 'nowUs'>,
): Promise<void> {
  for (const slot of slotsOf(positions)) {
    const isRecent = slot * SLOT_US > nowUs - RECENT_US;
    if (isRecent && made.has(slot)) continue;
    await sql`select ais_make_partition(${slot * SLOT_US}::bigint)`.execute(tx);
  }
}

async function insertHeard(tx: Db, sourceId: number, minutes: readonly number[]): Promise<void> {
  await sql`insert into ais_heard (source_id, minute) select ${sourceId}::integer, unnest(${[...minutes]}::integer[])
    on conflict do nothing`.execute(tx);
}

/** Passes rows as one array per column, so that the statement text is the same for any number of rows. */
function rowsOf(sourceId: number, rows: readonly Position[]) {
  const each = <Key extends keyof Position>(key: Key) => rows.map((row) => row[key]);
  return sql`select ${sourceId}::integer, * from unnest(
    ${each('mmsi')}::integer[], ${each('time')}::bigint[], ${each('lat')}::integer[], ${each('lon')}::integer[],
    ${each('sog')}::smallint[], ${each('cog')}::smallint[], ${each('heading')}::smallint[],
    ${each('turn')}::smallint[], ${each('status')}::smallint[], ${each('messageType')}::smallint[],
    ${each('fixType')}::smallint[], ${each('flags')}::smallint[])`;
}

async function insertPositions(tx: Db, table: string, sourceId: number, rows: readonly Position[]): Promise<void> {
  await sql`insert into ${sql.table(table)} (${POSITION_COLUMNS}) ${rowsOf(sourceId, rows)}`.execute(tx);
}

/** Updates the last positions. A stored position from the future is replaced: see `isNewer`. */
async function upsertLast(
  tx: Db,
  sourceId: number,
  { rows, nowUs }: { rows: readonly Position[]; nowUs: number },
): Promise<void> {
  await sql`insert into ais_last (${POSITION_COLUMNS}) ${rowsOf(sourceId, rows)}
    on conflict (source_id, mmsi) do update set
      time = excluded.time, lat = excluded.lat, lon = excluded.lon, sog = excluded.sog, cog = excluded.cog,
      heading = excluded.heading, turn = excluded.turn, status = excluded.status,
      message_type = excluded.message_type, fix_type = excluded.fix_type, flags = excluded.flags
    where excluded.time >= ais_last.time or ais_last.time > ${nowUs + FUTURE_US}::bigint`.execute(tx);
}

const TEXT_MAX = 64;

async function upsertVessels(tx: Db, sourceId: number, rows: readonly Vessel[]): Promise<void> {
  const each = <Key extends keyof Vessel>(key: Key) => rows.map((row) => row[key]);
  // AIS texts contain only printable characters (ITU-R M.1371-5, table 47).
  const texts = (key: 'name' | 'callSign' | 'destination' | 'eta') =>
    rows.map((row) => row[key]?.slice(0, TEXT_MAX) ?? null);
  await sql`insert into ais_vessels (source_id, mmsi, time, name, call_sign, imo, ship_type, aid_type, to_bow, to_stern,
      to_port, to_starboard, draught, destination, eta, fix_type, is_virtual)
    select ${sourceId}::integer, * from unnest(
      ${each('mmsi')}::integer[], ${each('time')}::bigint[], ${texts('name')}::text[], ${texts('callSign')}::text[],
      ${each('imo')}::integer[], ${each('shipType')}::smallint[], ${each('aidType')}::smallint[],
      ${each('toBow')}::smallint[], ${each('toStern')}::smallint[], ${each('toPort')}::smallint[],
      ${each('toStarboard')}::smallint[], ${each('draught')}::smallint[], ${texts('destination')}::text[],
      ${texts('eta')}::text[], ${each('fixType')}::smallint[], ${each('isVirtual')}::boolean[])
    on conflict (source_id, mmsi) do update set
      time = greatest(excluded.time, ais_vessels.time),
      name = coalesce(excluded.name, ais_vessels.name),
      call_sign = coalesce(excluded.call_sign, ais_vessels.call_sign),
      imo = coalesce(excluded.imo, ais_vessels.imo),
      ship_type = coalesce(excluded.ship_type, ais_vessels.ship_type),
      aid_type = coalesce(excluded.aid_type, ais_vessels.aid_type),
      to_bow = coalesce(excluded.to_bow, ais_vessels.to_bow),
      to_stern = coalesce(excluded.to_stern, ais_vessels.to_stern),
      to_port = coalesce(excluded.to_port, ais_vessels.to_port),
      to_starboard = coalesce(excluded.to_starboard, ais_vessels.to_starboard),
      draught = coalesce(excluded.draught, ais_vessels.draught),
      destination = coalesce(excluded.destination, ais_vessels.destination),
      eta = coalesce(excluded.eta, ais_vessels.eta),
      fix_type = coalesce(excluded.fix_type, ais_vessels.fix_type),
      is_virtual = coalesce(excluded.is_virtual, ais_vessels.is_virtual)`.execute(tx);
}

async function upsertNames(
  tx: Db,
  sourceId: number,
  rows: readonly { mmsi: number; name: string; time: number }[],
): Promise<void> {
  const each = <Key extends 'mmsi' | 'time'>(key: Key) => rows.map((row) => row[key]);
  const names = rows.map(({ name }) => name.slice(0, TEXT_MAX));
  await sql`insert into ais_names (source_id, mmsi, name, first_time, last_time)
    select ${sourceId}::integer, mmsi, name, time, time
    from unnest(${each('mmsi')}::integer[], ${names}::text[], ${each('time')}::bigint[]) as said (mmsi, name, time)
    on conflict (source_id, mmsi, name) do update set last_time = greatest(excluded.last_time, ais_names.last_time)`.execute(
    tx,
  );
}
