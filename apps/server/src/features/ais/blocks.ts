import { type Kysely, sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/visibility.ts';
import type { Database } from '../../base/db/schema.ts';
import { lockMinutes } from './minutes.ts';
import { nowAndThen } from './now-and-then.ts';
import { POSITION_COLUMNS } from './positions.ts';

/** Half an hour, so that microseconds after its beginning fit into 31 bits. */
const SLOT_US = 30 * 60_000_000;
/** Positions of one block: a trail looks into one of each half hour. */
const BLOCK_POSITIONS = 4096;
/** Half hours of one source that are packed in a row. */
const SLOTS_IN_A_ROW = 100;
const EVERY_MS = 5 * 60_000;
const FIRST_MS = 60_000;

/** Blocks of these sources that reach into a time become rows again: some of their positions are to change. */
export async function unpackBlocks(
  tx: Db,
  ids: readonly number[],
  { fromUs, toUs }: { fromUs: number; toUs: number },
): Promise<void> {
  await sql`with gone as (delete from ais_mission_blocks where source_id = any (${[...ids]}::integer[])
      and first_time <= ${toUs}::bigint and last_time >= ${fromUs}::bigint returning *)
    insert into ais_mission_positions (${POSITION_COLUMNS})
    select gone.source_id, one.mmsi, gone.start_time + one.after, one.lat, one.lon, one.sog, one.cog, one.heading, one.turn,
      one.status, one.message_type, one.fix_type, one.flags
    from gone, unnest(gone.mmsi, gone.after, gone.lat, gone.lon, gone.sog, gone.cog, gone.heading, gone.turn, gone.status,
      gone.message_type, gone.fix_type, gone.flags)
      as one (mmsi, after, lat, lon, sog, cog, heading, turn, status, message_type, fix_type, flags)`.execute(tx);
}

/**
 * The part of a time that holds so many positions of these sources for sure, from its end or its beginning; the whole of it
 * where blocks do not tell. Half hours are unpacked whole: a page of a list is not to unpack all of a mission.
 */
export async function partWith(
  db: Db,
  ids: readonly number[],
  { fromUs, toUs, count, newest }: { fromUs: number; toUs: number; count: number; newest: boolean },
): Promise<{ fromUs: number; toUs: number }> {
  const order = sql.raw(newest ? 'desc' : 'asc');
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select min(start_time) as first, max(start_time) as last from (
      select start_time, sum(sum(positions)) over (order by start_time ${order}) - sum(positions) as before
      from ais_mission_blocks where source_id = any (${[...ids]}::integer[])
        and first_time >= ${fromUs}::bigint and last_time <= ${toUs}::bigint group by start_time) slots
    where before < ${count}`.execute(db);
  const { first = null, last = null } = rows[0] ?? {};
  if (first === null || last === null) return { fromUs, toUs };
  return newest ? { fromUs: Math.max(fromUs, first), toUs } : { fromUs, toUs: Math.min(toUs, last + SLOT_US - 1) };
}

/** All blocks of these sources go. Answers how many positions they held. */
export async function removeBlocks(tx: Db, ids: readonly number[]): Promise<number> {
  const { rows } = await sql<{ positions: number }>`
    with gone as (delete from ais_mission_blocks where source_id = any (${[...ids]}::integer[]) returning positions)
    select coalesce(sum(positions), 0)::bigint as positions from gone`.execute(tx);
  return rows[0]!.positions;
}

const listOf = (column: string) =>
  sql`coalesce(array_agg(${sql.ref(column)} order by place), '{}') as ${sql.ref(column)}`;
const LISTS = ['lat', 'lon', 'sog', 'cog', 'heading', 'turn', 'status', 'message_type', 'fix_type', 'flags'];

/** Moves the rows of a source's first half hour into blocks. Returns false if the source has no rows. */
async function packSlot(tx: Db, sourceId: number): Promise<boolean> {
  await lockMinutes(tx, sourceId, true);
  const { rows } = await sql<{ first: number | null }>`
    select min(time) as first from ais_mission_positions where source_id = ${sourceId}`.execute(tx);
  const first = rows[0]?.first ?? null;
  if (first === null) return false;
  const start = Math.floor(first / SLOT_US) * SLOT_US;
  // One statement deletes rows and inserts the same ones: rows that arrive meanwhile are not lost.
  await sql`with taken as (delete from ais_mission_positions where source_id = ${sourceId}
        and time >= ${start}::bigint and time < ${start + SLOT_US}::bigint returning *),
      placed as (select *, row_number() over (order by mmsi, time) as place from taken)
    insert into ais_mission_blocks (source_id, start_time, first_time, last_time, first_mmsi, last_mmsi, positions,
      mmsi, after,
      ${sql.join(LISTS.map((name) => sql.ref(name)))})
    select ${sourceId}::integer, ${start}::bigint, min(time), max(time), min(mmsi), max(mmsi), count(*), array_agg(mmsi order by place),
      array_agg((time - ${start}::bigint)::integer order by place), ${sql.join(LISTS.map(listOf))}
    from placed group by (place - 1) / ${BLOCK_POSITIONS}`.execute(tx);
  return true;
}

type Deps = {
  db: Kysely<Database>;
  log: { warn: (fields: object, text: string) => void };
};

/** Packs positions of missions that have ended. */
export function aisBlocks({ db, log }: Deps) {
  async function pack(isClosed = () => false): Promise<void> {
    const rows = await asSystem(db, 'ais sources')
      .selectFrom('ais_sources')
      .innerJoin('missions', 'missions.id', 'ais_sources.mission_id')
      .where('missions.state', '<>', 'Running')
      .where(sql<boolean>`exists (select from ais_mission_positions own where own.source_id = ais_sources.id)`)
      .select('ais_sources.id')
      .execute();
    for (const { id } of rows) {
      for (let n = 0; n < SLOTS_IN_A_ROW && !isClosed(); n += 1) {
        if (!(await db.transaction().execute((tx) => packSlot(tx, id)))) break;
      }
    }
  }

  const failed = (error: unknown) => log.warn({ error }, 'positions of missions could not be packed');
  return { pack, ...nowAndThen({ firstMs: FIRST_MS, everyMs: EVERY_MS, work: pack, failed }) };
}
