import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { missionsAtRest } from '../../base/items/missions.ts';
import { lockMinutes } from './minutes.ts';
import { nowAndThen } from './now-and-then.ts';
import { type Bounds, LISTS, MISSIONS, ROLLING, reaching, SLOT_US, type Store } from './positions.ts';

/** Number of positions in one block. Larger blocks take less disk space but longer to read. */
const BLOCK_POSITIONS = 2048;
/**
 * If a source receives more positions than this in half an hour, its blocks cover shorter periods, down to three
 * minutes. This limits what must be read: a map of a past moment reads all positions around it, and a trail reads one
 * block of each period.
 */
const PART_POSITIONS = 4096;
const PARTS_MAX = 10;
/** Maximum number of half hours of one source packed in a row. */
const SLOTS_IN_A_ROW = 100;
/**
 * Delay between the end of a half hour and its packing for positions outside missions, in microseconds, since positions
 * may still arrive.
 */
const SETTLED_US = 25 * 60_000_000;
const EVERY_MS = 5 * 60_000;
const FIRST_MS = 60_000;
/**
 * Maximum pause between two half hours, in milliseconds. The pause is as long as the packing took, so that others can
 * use the database.
 */
const REST_MS_MAX = 30_000;

const BLOCK_LISTS = ['mmsi', 'after', ...LISTS];
const listsOf = (table: string) => sql.join(BLOCK_LISTS.map((name) => sql.ref(`${table}.${name}`)));
const names = sql.join(BLOCK_LISTS.map((name) => sql.ref(name)));

/**
 * Builds the insert of blocks from rows that have `source_id`, `start_time`, `block`, and their `place` in the block,
 * counted from 1.
 */
function packedFrom(store: Store, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  const lists = BLOCK_LISTS.map((name) => sql`array_agg(${sql.ref(name)} order by place)`);
  return sql`insert into ${sql.table(store.blocks)} (source_id, start_time, first_time, last_time, first_mmsi, last_mmsi,
      positions, ${names}${sql.raw(store.hasShips ? ', ships' : '')})
    select source_id, start_time, start_time + min(after), start_time + max(after), min(mmsi), max(mmsi), count(*),
      ${sql.join(lists)}${sql.raw(store.hasShips ? ', array_agg(distinct mmsi)' : '')}
    from ${rows} group by source_id, start_time, block`;
}

/**
 * Deletes packed positions that meet a condition on `time` and `message_type`. Returns the number of deleted positions.
 */
export async function removePacked(
  tx: Db,
  store: Store,
  { ids, bounds, condition }: { ids: readonly number[]; bounds: Bounds; condition: RawBuilder<boolean> },
): Promise<number> {
  // The remaining positions of affected blocks are packed again in the same statement.
  const { rows } = await sql<{ positions: number }>`
    with gone as (delete from ${sql.table(store.blocks)} where ${reaching(ids, bounds)} returning *),
      numbered as (select *, row_number() over () as block from gone),
      kept as (select * from (
        select numbered.block, numbered.source_id, numbered.start_time, numbered.start_time + one.after as time, one.*
        from numbered, unnest(${listsOf('numbered')}) with ordinality as one (${names}, place)) each
        where not (${condition})),
      written as (${packedFrom(store, sql`kept`)} returning positions)
    select (coalesce((select sum(positions) from gone), 0) - coalesce((select sum(positions) from written), 0))::bigint
      as positions`.execute(tx);
  return rows[0]!.positions;
}

/** Deletes all blocks of these sources. Returns the number of positions in them. */
export async function removeBlocks(tx: Db, store: Store, ids: readonly number[]): Promise<number> {
  const { rows } = await sql<{ positions: number }>`
    with gone as (delete from ${sql.table(store.blocks)} where source_id = any (${[...ids]}::integer[]) returning positions)
    select coalesce(sum(positions), 0)::bigint as positions from gone`.execute(tx);
  return rows[0]!.positions;
}

/**
 * Returns a part of the period, at its end or its beginning, that certainly contains this many positions of these
 * sources; the whole period if the blocks do not show it. Half hours are unpacked as a whole, so this prevents a page
 * of a list from unpacking a whole mission.
 */
export async function partWith(
  db: Db,
  ids: readonly number[],
  { fromUs, toUs, count, newest }: Bounds & { count: number; newest: boolean },
): Promise<Bounds> {
  const order = sql.raw(newest ? 'desc' : 'asc');
  const inside = sql`source_id = any (${[...ids]}::integer[]) and start_time >= ${fromUs - SLOT_US}::bigint
    and start_time <= ${toUs}::bigint and first_time >= ${fromUs}::bigint and last_time <= ${toUs}::bigint`;
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select min(start_time) as first, max(start_time) as last from (
      select start_time, sum(sum(positions)) over (order by start_time ${order}) - sum(positions) as before
      from (select start_time, positions from ais_mission_blocks where ${inside}
        union all select start_time, positions from ais_blocks where ${inside}) block
      group by start_time) slots
    where before < ${count}`.execute(db);
  const { first = null, last = null } = rows[0] ?? {};
  if (first === null || last === null) return { fromUs, toUs };
  return newest ? { fromUs: Math.max(fromUs, first), toUs } : { fromUs, toUs: Math.min(toUs, last + SLOT_US - 1) };
}

/** Moves a source's rows of one half hour into blocks. */
async function packSlot(tx: Db, store: Store, sourceId: number, startUs: number): Promise<void> {
  await sql`set local statement_timeout = '10min'`.execute(tx);
  await lockMinutes(tx, sourceId, true);
  // A single statement deletes rows and inserts exactly those, so that rows arriving meanwhile are not lost.
  await sql`with taken as (delete from ${sql.table(store.rows)} where source_id = ${sourceId}
        and time >= ${startUs}::bigint and time < ${startUs + SLOT_US}::bigint returning *),
      sized as (select least(${PARTS_MAX}, greatest(1, ceil(count(*)::numeric / ${PART_POSITIONS})))::bigint as parts
        from taken),
      parted as (select taken.*, (time - ${startUs}::bigint) * parts / ${SLOT_US}::bigint as part from taken, sized),
      placed as (select *, row_number() over (partition by part order by mmsi, time) as place from parted),
      numbered as (select *, ${startUs}::bigint as start_time, (time - ${startUs}::bigint)::integer as after,
        part * 1000000 + (place - 1) / ${BLOCK_POSITIONS} as block from placed)
    ${packedFrom(store, sql`numbered`)}`.execute(tx);
}

type Deps = {
  db: Kysely<Database>;
  nowUs: () => number;
  log: { warn: (fields: object, text: string) => void };
};

/** Packs positions of missions that have ended, and positions outside missions within an hour. */
export function aisBlocks({ db, nowUs, log }: Deps) {
  async function pack(isClosed = () => false): Promise<void> {
    await packMissions(isClosed);
    await packRolling(isClosed);
  }

  /**
   * Packs the half hour that contains a moment, then pauses for as long as this took, so that receivers and readers can
   * use the database.
   */
  async function packAt(store: Store, sourceId: number, timeUs: number): Promise<void> {
    const begunMs = performance.now();
    const startUs = Math.floor(timeUs / SLOT_US) * SLOT_US;
    await db.transaction().execute((tx) => packSlot(tx, store, sourceId, startUs));
    await wait(Math.min(REST_MS_MAX, performance.now() - begunMs), undefined, { ref: false });
  }

  async function packMissions(isClosed: () => boolean): Promise<void> {
    const rows = await asSystem(db, 'sweep')
      .selectFrom('ais_sources')
      .where('ais_sources.mission_id', 'in', missionsAtRest(db, 'sweep'))
      .where(sql<boolean>`exists (select from ais_mission_positions own where own.source_id = ais_sources.id)`)
      .select('ais_sources.id')
      .execute();
    for (const { id } of rows) {
      for (let n = 0; n < SLOTS_IN_A_ROW && !isClosed(); n += 1) {
        const first = await sql<{ first: number | null }>`
          select min(time) as first from ais_mission_positions where source_id = ${id}`.execute(db);
        const time = first.rows[0]?.first ?? null;
        if (time === null) break;
        await packAt(MISSIONS, id, time);
      }
    }
  }

  /** Packs the partitions one after another, oldest first. A partition that is over and empty is dropped. */
  async function packRolling(isClosed: () => boolean): Promise<void> {
    const beforeUs = Math.floor((nowUs() - SETTLED_US) / SLOT_US) * SLOT_US;
    for (const { name, fromUs, toUs } of await partitions(db)) {
      if (fromUs >= beforeUs) break;
      // Days stored before blocks existed have no partition for blocks yet.
      await sql`select ais_make_partition(${fromUs}::bigint)`.execute(db);
      // Each half hour is packed once per pass. Rows that arrive later, after a database outage, are packed in the next
      // pass.
      for (let slot = fromUs; slot < Math.min(toUs, beforeUs); slot += SLOT_US) {
        for (const { id, first } of await sourcesIn(fromUs, Math.min(toUs, beforeUs))) {
          if (isClosed()) return;
          await packAt(ROLLING, id, first);
        }
      }
      if (toUs <= beforeUs) await dropEmpty(name);
    }
  }

  /** Sources with rows between two moments, each with its first. */
  async function sourcesIn(fromUs: number, toUs: number): Promise<{ id: number; first: number }[]> {
    const { rows } = await sql<{ id: number; first: number }>`
      select source_id as id, min(time) as first from ais_positions
      where time >= ${fromUs}::bigint and time < ${toUs}::bigint group by source_id order by source_id`.execute(db);
    return rows;
  }

  async function dropEmpty(name: string): Promise<void> {
    try {
      await sql`select ais_drop_empty(${name})`.execute(db);
    } catch (error) {
      // Readers hold a lock on the partition; dropping it in the next pass is early enough.
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    }
  }

  const failed = (error: unknown) => log.warn({ error }, 'positions of ships could not be packed');
  return { pack, ...nowAndThen({ firstMs: FIRST_MS, everyMs: EVERY_MS, work: pack, failed }) };
}

const LOCK_NOT_AVAILABLE = '55P03';
const DAY_US = 86_400_000_000;
const PARTITION = /^ais_positions_(\d{4})(\d\d)(\d\d)(?:_(\d\d)(\d\d))?$/;

/**
 * Returns the partitions of rows, oldest first. They cover half hours, or whole days if they date from before blocks
 * existed.
 */
async function partitions(db: Db): Promise<{ name: string; fromUs: number; toUs: number }[]> {
  const { rows } = await sql<{ name: string }>`
    select part.relname as name from pg_inherits tree join pg_class part on part.oid = tree.inhrelid
    where tree.inhparent = 'ais_positions'::regclass order by part.relname`.execute(db);
  return rows.flatMap(({ name }) => {
    const [, year, month, day, hour, minute] = PARTITION.exec(name) ?? [];
    if (year === undefined) return [];
    const fromUs = Date.UTC(+year, +month! - 1, +day!, +(hour ?? 0), +(minute ?? 0)) * 1000;
    return [{ name, fromUs, toUs: fromUs + (hour === undefined ? DAY_US : SLOT_US) }];
  });
}
