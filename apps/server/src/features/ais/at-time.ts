import { AIS_FRAME_SHIPS_MAX, type FrameShip, type MapArea, writeAisFrame } from '@osprey/contract';
import { sql } from 'kysely';
import type { Db } from '../../base/access/visibility.ts';
import { isInArea } from './area.ts';
import { eachPacked, MINUTE_US, type MinuteShip, shipsBetween } from './minutes.ts';
import type { Bounds } from './positions.ts';
import type { AisSource } from './sources.ts';

/** `only`: numbers of the stations that are meant; left out: all. */
type Wish = { area: MapArea; minutes: number; time: number; only?: readonly number[] | undefined };

/** For longer spans rows are read: there would be too many packed minutes to look through. */
const PACKED_MINUTES_MAX = 60;

/**
 * Ships as they were at a moment: of each the last position before it, as far as those sources heard it. One that has left the
 * area since is not shown where it was. Whole minutes are read packed where they are, and from their rows where not.
 */
export async function shipsAt(
  db: Db,
  sources: readonly AisSource[],
  { area, minutes, time, only }: Wish,
): Promise<Uint8Array> {
  if (sources.length === 0) return writeAisFrame([], { timeUs: time, total: 0 });
  const fromUs = time - minutes * MINUTE_US + 1;
  const newest = new Map<number, MinuteShip>();
  const meant = only && new Set(only);
  const take = (ship: MinuteShip) => void newest.set(ship.mmsi, ship);
  const wanted = (mmsi: number, at: number) =>
    at >= fromUs && meant?.has(mmsi) !== false && at > (newest.get(mmsi)?.time ?? Number.NEGATIVE_INFINITY);
  const takeRows = async (own: readonly AisSource[], between: Bounds) => {
    for (const ship of await shipsBetween(db, own, { ...between, only })) if (wanted(ship.mmsi, ship.time)) take(ship);
  };

  if (minutes > PACKED_MINUTES_MAX) await takeRows(sources, { fromUs, toUs: time });
  else {
    const current = Math.floor(time / MINUTE_US);
    await takeRows(sources, { fromUs: Math.max(fromUs, current * MINUTE_US), toUs: time });
    const { packed, missing } = await packedMinutes(db, sources, Math.floor(fromUs / MINUTE_US), current - 1);
    for (const { minute, ships } of packed) eachPacked(ships, minute, { wanted, take });
    for (const [minute, own] of missing) {
      const lastUs = (minute + 1) * MINUTE_US - 1;
      await takeRows(own, { fromUs: Math.max(fromUs, minute * MINUTE_US), toUs: lastUs });
    }
  }

  const isIn = isInArea(area);
  const shown = [...newest.values()].filter(isIn).slice(0, AIS_FRAME_SHIPS_MAX + 1);
  const types = await typesOf(db, sources, shown);
  const ships = shown.map((ship): FrameShip => ({ ...ship, shipType: types.get(ship.mmsi) ?? null }));
  return writeAisFrame(ships, { timeUs: time, total: ships.length });
}

/** Packed minutes in which these sources heard anything, and the sources of minutes that are not packed yet. */
async function packedMinutes(db: Db, sources: readonly AisSource[], from: number, to: number) {
  const { rows } = await sql<{ source_id: number; minute: number; ships: Buffer | null }>`
    select heard.source_id, heard.minute, packed.ships from ais_heard heard
    left join ais_minutes packed on packed.source_id = heard.source_id and packed.minute = heard.minute
    where heard.source_id = any (${sources.map(({ id }) => id)}::integer[])
      and heard.minute between ${from}::integer and ${to}::integer
    order by heard.minute desc, heard.source_id`.execute(db);
  const missing = new Map<number, AisSource[]>();
  const byId = new Map(sources.map((source) => [source.id, source]));
  for (const { source_id, minute, ships } of rows) {
    if (ships !== null) continue;
    const own = missing.get(minute) ?? [];
    own.push(byId.get(source_id)!);
    missing.set(minute, own);
  }
  return { packed: rows.flatMap(({ minute, ships }) => (ships === null ? [] : [{ minute, ships }])), missing };
}

/** The last type that each ship sent to these sources. */
async function typesOf(db: Db, sources: readonly AisSource[], ships: readonly MinuteShip[]) {
  const { rows } = await sql<{ mmsi: number; ship_type: number }>`
    select distinct on (mmsi) mmsi, ship_type from ais_vessels
    where mmsi = any (${ships.map(({ mmsi }) => mmsi)}::integer[]) and ship_type is not null
      and source_id = any (${sources.map(({ id }) => id)}::integer[])
    order by mmsi, time desc`.execute(db);
  return new Map(rows.map(({ mmsi, ship_type }) => [mmsi, ship_type]));
}
