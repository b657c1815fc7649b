import { type RawBuilder, sql } from 'kysely';
import type { AisSource } from './sources.ts';

/** Columns of a position, in the order of its tables. */
export const POSITION_COLUMNS = sql.raw(
  'source_id, mmsi, time, lat, lon, sog, cog, heading, turn, status, message_type, fix_type, flags',
);

/** Both moments included. `only`: numbers of the stations that are meant; left out: all. */
type Wish = { fromUs: number; toUs: number; only?: readonly number[] | undefined };
type Source = Pick<AisSource, 'id' | 'missionId'>;

/**
 * Positions that these sources heard between two moments. Those of missions may be packed: a block that holds none of them is
 * not looked into.
 */
export function positionsBetween(sources: readonly Source[], wish: Wish): RawBuilder<unknown> {
  const idsOf = (isMission: boolean) =>
    sources.filter(({ missionId }) => (missionId !== null) === isMission).map(({ id }) => id);
  const [rolling, recorded] = [idsOf(false), idsOf(true)];
  const ofRolling = sql`select ${POSITION_COLUMNS} from ais_positions where ${isMeant(rolling, wish)}`;
  const ofMissions = sql`select ${POSITION_COLUMNS} from ais_recorded
    where ${isMeant(recorded, wish)} and ${mayHold(wish)}`;
  if (recorded.length === 0) return ofRolling;
  return rolling.length === 0 ? ofMissions : sql`${ofRolling} union all ${ofMissions}`;
}

const isMeant = (ids: readonly number[], { fromUs, toUs, only }: Wish): RawBuilder<boolean> =>
  sql`source_id = any (${[...ids]}::integer[]) and time >= ${fromUs}::bigint and time <= ${toUs}::bigint
    and ${only === undefined ? sql`true` : sql`mmsi = any (${[...only]}::integer[])`}`;

const mayHold = ({ fromUs, toUs, only }: Wish): RawBuilder<boolean> => {
  const isNear = sql<boolean>`block_first <= ${toUs}::bigint and block_last >= ${fromUs}::bigint`;
  if (only === undefined || only.length === 0) return isNear;
  return sql`${isNear} and block_first_mmsi <= ${Math.max(...only)}::integer
    and block_last_mmsi >= ${Math.min(...only)}::integer`;
};
