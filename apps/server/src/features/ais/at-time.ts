import { AIS_FRAME_SHIPS_MAX, type FrameShip, type MapArea, writeAisFrame } from '@osprey/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../base/access/visibility.ts';
import { DEGREE_PARTS } from './jump.ts';
import type { AisSource } from './sources.ts';

type Wish = { area: MapArea; minutes: number; time: number };
type Row = Omit<FrameShip, 'shipType' | 'messageType'> & { message_type: number; ship_type: number | null };

/** Ships as they were at a moment: of each the last position before it, as far as those sources heard it. */
export async function shipsAt(
  db: Db,
  sources: readonly AisSource[],
  { area, minutes, time }: Wish,
): Promise<Uint8Array> {
  if (sources.length === 0) return writeAisFrame([], { timeUs: time, total: 0 });
  const ids = sources.map(({ id }) => id);
  const from = (table: string, own: readonly AisSource[]) => sql`select * from ${sql.table(table)}
    where source_id = any (${own.map(({ id }) => id)}::integer[])
      and time > ${time - minutes * 60e6}::bigint and time <= ${time}::bigint`;
  const rolling = sources.filter(({ missionId }) => missionId === null);
  const recorded = sources.filter(({ missionId }) => missionId !== null);
  const heard: RawBuilder<unknown> =
    recorded.length === 0
      ? from('ais_positions', rolling)
      : rolling.length === 0
        ? from('ais_mission_positions', recorded)
        : sql`${from('ais_positions', rolling)} union all ${from('ais_mission_positions', recorded)}`;
  // Ships that were in the area at some time before: one that has left it since is not shown where it was.
  const { rows } = await sql<Row>`
    select last.mmsi, last.time, last.lat, last.lon, last.cog, last.sog, last.heading, last.flags, last.message_type,
      (select vessel.ship_type from ais_vessels vessel where vessel.mmsi = last.mmsi
        and vessel.source_id = any (${ids}::integer[]) and vessel.ship_type is not null
        order by vessel.time desc limit 1) as ship_type
    from (select distinct on (mmsi) * from (${heard}) heard
      where mmsi in (select mmsi from (${heard}) near where ${isIn(area, 'near')}) order by mmsi, time desc) last
    where ${isIn(area, 'last')} limit ${AIS_FRAME_SHIPS_MAX + 1}`.execute(db);
  const ships = rows.map(({ message_type, ship_type, ...ship }) => ({
    ...ship,
    messageType: message_type,
    shipType: ship_type,
  }));
  return writeAisFrame(ships, { timeUs: time, total: ships.length });
}

function isIn({ west, south, east, north }: MapArea, row: string): RawBuilder<boolean> {
  const parts = (degrees: number) => Math.round(degrees * DEGREE_PARTS);
  const [lat, lon] = [sql.ref(`${row}.lat`), sql.ref(`${row}.lon`)];
  const isBetween = sql`${lat} between ${parts(south)} and ${parts(north)}`;
  return west > east
    ? sql`${isBetween} and (${lon} >= ${parts(west)} or ${lon} <= ${parts(east)})`
    : sql`${isBetween} and ${lon} between ${parts(west)} and ${parts(east)}`;
}
