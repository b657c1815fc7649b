import { AIS_FRAME_SHIPS_MAX, type FrameShip, type MapArea, writeAisFrame } from '@osprey/contract';
import { sql } from 'kysely';
import type { Db } from '../../base/access/as-system.ts';
import { isInArea } from './area.ts';
import { lastBetween, mergedLast } from './last.ts';
import { MINUTE_US, type MinuteShip } from './minutes.ts';
import type { AisSource } from './sources.ts';

/** `only` lists the MMSIs of the stations to include; all if absent. */
type Wish = { area: MapArea; minutes: number; time: number; only?: readonly number[] | undefined };

/**
 * Returns the ships in an area at a moment: of each ship, the last position before the moment received by these
 * sources. Ships that have since left the area are excluded.
 */
export async function shipsAt(
  db: Db,
  sources: readonly AisSource[],
  { area, minutes, time, only }: Wish,
): Promise<Uint8Array> {
  const bounds = { fromUs: time - minutes * MINUTE_US + 1, toUs: time };
  const last = mergedLast(await lastBetween(db, sources, { ...bounds, only }));
  const shown = last.filter(isInArea(area)).slice(0, AIS_FRAME_SHIPS_MAX + 1);
  const types = await typesOf(db, sources, shown);
  const ships = shown.map((ship): FrameShip => ({ ...ship, shipType: types.get(ship.mmsi) ?? null }));
  return writeAisFrame(ships, { timeUs: time, total: ships.length });
}

/** The ship type that each ship last sent to these sources. */
async function typesOf(db: Db, sources: readonly AisSource[], ships: readonly MinuteShip[]) {
  const { rows } = await sql<{ mmsi: number; ship_type: number }>`
    select distinct on (mmsi) mmsi, ship_type from ais_vessels
    where mmsi = any (${ships.map(({ mmsi }) => mmsi)}::integer[]) and ship_type is not null
      and source_id = any (${sources.map(({ id }) => id)}::integer[])
    order by mmsi, time desc`.execute(db);
  return new Map(rows.map(({ mmsi, ship_type }) => [mmsi, ship_type]));
}
