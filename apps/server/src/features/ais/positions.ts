import type { AisType } from '@osprey/contract';
import { type RawBuilder, sql } from 'kysely';
import type { AisSource } from './sources.ts';

/**
 * Half an hour, in microseconds. It is short enough that microseconds from its beginning fit into 31 bits. Rows outside
 * missions have one partition per half hour.
 */
export const SLOT_US = 30 * 60_000_000;

/**
 * Tables of positions: new positions are in rows and later packed into blocks; a view combines both (migrations 0047
 * and 0055).
 */
export type Store = { rows: string; blocks: string; view: string; hasShips: boolean };
export const MISSIONS: Store = {
  ...{ rows: 'ais_mission_positions', blocks: 'ais_mission_blocks', view: 'ais_recorded', hasShips: false },
};
export const ROLLING: Store = { rows: 'ais_positions', blocks: 'ais_blocks', view: 'ais_rolling', hasShips: true };

/** Columns of a position that blocks store as lists, in addition to station and time. */
export const LISTS = [
  ...(['lat', 'lon', 'sog', 'cog', 'heading', 'turn', 'status', 'message_type', 'fix_type', 'flags'] as const),
];
export type ListName = (typeof LISTS)[number];

/** Columns of a position, in the order of its tables. */
export const POSITION_COLUMNS = sql.raw(['source_id', 'mmsi', 'time', ...LISTS].join(', '));

/** Two moments, both included. */
export type Bounds = { fromUs: number; toUs: number };

type Wish = Bounds & {
  /** MMSIs of the stations to include; all if absent. */
  only?: readonly number[] | undefined;
  /** Lists to read of packed positions; the other columns are then null. All lists if absent. */
  lists?: readonly ListName[] | undefined;
};
type Source = Pick<AisSource, 'id' | 'missionId'>;

/**
 * Returns a query of the positions that these sources received between two moments, including packed ones. Blocks that
 * cannot contain any are not unpacked.
 */
export function positionsBetween(sources: readonly Source[], wish: Wish): RawBuilder<unknown> {
  const idsOf = (isMission: boolean) =>
    sources.filter(({ missionId }) => (missionId !== null) === isMission).map(({ id }) => id);
  const [rolling, recorded] = [idsOf(false), idsOf(true)];
  const ofRolling = of(ROLLING, rolling, wish);
  const ofMissions = of(MISSIONS, recorded, wish);
  if (recorded.length === 0) return ofRolling;
  return rolling.length === 0 ? ofMissions : sql`${ofRolling} union all ${ofMissions}`;
}

function of(store: Store, ids: readonly number[], wish: Wish): RawBuilder<unknown> {
  const { fromUs, toUs, only, lists = LISTS } = wish;
  const [mmsi] = only ?? [];
  const isOne = only?.length === 1 && mmsi !== undefined;
  const isFor = isOne ? isOfOne(store, mmsi) : isAmong(only);
  const isNear = sql`${reaching(ids, wish)} and ${isFor}`;
  const read = LISTS.filter((list) => lists.includes(list));
  const names = sql.join(['mmsi', 'after', ...read].map((name) => sql.ref(name)));
  const columns = sql.join(LISTS.map((list) => (read.includes(list) ? sql.ref(`one.${list}`) : sql`null`)));
  // Blocks are sorted by station, so that a station's positions are contiguous and the rest of the block need not be
  // unpacked. Without "offset 0", PostgreSQL would compute both numbers again for each list.
  const blocks = isOne
    ? sql`(select *, array_position(mmsi, ${mmsi}::integer) as at,
        cardinality(array_positions(mmsi, ${mmsi}::integer)) as count
        from ${sql.table(store.blocks)} where ${isNear} offset 0)`
    : sql`(select * from ${sql.table(store.blocks)} where ${isNear})`;
  const part = isOne ? sql.raw('[block.at:block.at + block.count - 1]') : sql.raw('');
  const arrays = sql.join(['mmsi', 'after', ...read].map((name) => sql`${sql.ref(`block.${name}`)}${part}`));
  return sql`select ${POSITION_COLUMNS} from ${sql.table(store.rows)} where source_id = any (${[...ids]}::integer[])
      and time >= ${fromUs}::bigint and time <= ${toUs}::bigint and ${isRequested('mmsi', only)}
    union all
    select block.source_id, one.mmsi, block.start_time + one.after, ${columns}
    from ${blocks} block, unnest(${arrays}) as one (${names})
    where block.start_time + one.after >= ${fromUs}::bigint and block.start_time + one.after <= ${toUs}::bigint
      and ${isOne ? sql`true` : isRequested('one.mmsi', only)}`;
}

/** Blocks of these sources that may hold a position between two moments. */
export const reaching = (ids: readonly number[], { fromUs, toUs }: Bounds): RawBuilder<boolean> =>
  sql`source_id = any (${[...ids]}::integer[]) and start_time > ${fromUs - SLOT_US}::bigint
    and start_time <= ${toUs}::bigint and first_time <= ${toUs}::bigint and last_time >= ${fromUs}::bigint`;

/** Condition that selects stations by MMSI; all stations without `only`. */
export const isRequested = (column: string, only: readonly number[] | undefined): RawBuilder<boolean> =>
  only === undefined ? sql`true` : sql`${sql.ref(column)} = any (${[...only]}::integer[])`;

/** Condition that a block contains the station, or may contain it. */
const isOfOne = (store: Store, mmsi: number): RawBuilder<boolean> =>
  store.hasShips
    ? sql`ships @> array[${mmsi}::integer]`
    : sql`first_mmsi <= ${mmsi}::integer and last_mmsi >= ${mmsi}::integer and ${mmsi}::integer = any (mmsi)`;

const isAmong = (only: readonly number[] | undefined): RawBuilder<boolean> => {
  if (only === undefined) return sql`true`;
  if (only.length === 0) return sql`false`;
  return sql`first_mmsi <= ${Math.max(...only)}::integer and last_mmsi >= ${Math.min(...only)}::integer`;
};

/** Message type of a base station (ITU-R M.1371-5, message 4). */
export const BASE_STATION = 4;

export const isOfType = (aisType: AisType | undefined): RawBuilder<boolean> => {
  if (aisType === undefined) return sql`true`;
  return aisType === 'baseStations' ? sql`message_type = ${BASE_STATION}` : sql`message_type <> ${BASE_STATION}`;
};
