import { AIS_RANGE_DAYS_MAX, AIS_RANGE_SECTORS, type AisRange, type FarthestShip, stationOf } from '@osprey/contract';
import { bearingDeg, distanceM } from '@osprey/geo';
import { sql } from 'kysely';
import type { Db } from '../../base/access/as-system.ts';
import { platformSensorName } from '../../base/items/platform-facts.ts';
import { type Batch, FLAG, placed } from './batch.ts';
import { DEGREE_PARTS, type Place } from './jump.ts';
import { type AisSource, highestLabel } from './sources.ts';

const DAY_US = 86_400_000_000;
/** Greatest range of VHF in metres, whatever the weather: a ship farther away states a wrong position. */
const METRES_MAX = 1_000_000;
/**
 * Message types of position reports sent by ships' own radios (ITU-R M.1371-5). Aids to navigation and base stations
 * are excluded, since they may report positions of others.
 */
const SHIP_MESSAGES = new Set([1, 2, 3, 18, 19]);
/** Minimum movement of a receiver that counts, in metres. */
const MOVED_METRES = 100;
/** Time after which the receiver's position is read again, in milliseconds, since a user may have set it. */
const POSITION_CACHE_MS = 60_000;
/** Maximum number of sectors in the cache: those of more than a month. */
const CACHED_MAX = 2000;

type Receiver = Pick<Place, 'lat' | 'lon'> & { origin: 'receiver' | 'hand' };
type Farthest = { day: number; sector: number; metres: number; mmsi: number; time: number };

const pointOf = ({ lat, lon }: Pick<Place, 'lat' | 'lon'>) => ({ lat: lat / DEGREE_PARTS, lon: lon / DEGREE_PARTS });

/** Records the most distant ship of each day and sector for one receiver, and the receiver's position. */
export function receiverRange(sensorId: string, nowMs: () => number) {
  let receiver: Receiver | null = null;
  let readMs = Number.NEGATIVE_INFINITY;
  /** Greatest stored distance in metres, by day and sector. A nearer ship needs no database statement. */
  const cached = new Map<number, number>();

  async function readPlace(tx: Db): Promise<void> {
    if (nowMs() - readMs < POSITION_CACHE_MS) return;
    const row = await storedReceiver(tx, sensorId);
    readMs = nowMs();
    // If the position was set by hand elsewhere, the ranges start from scratch. Ranges of a receiver that moves are
    // continued.
    if (row?.origin === 'hand' && (row.lat !== receiver?.lat || row.lon !== receiver.lon)) cached.clear();
    receiver = row;
  }

  async function takeOwn(tx: Db, own: Place): Promise<void> {
    const isSame = receiver?.origin === 'receiver' && distanceM(pointOf(receiver), pointOf(own)) < MOVED_METRES;
    if (isSame) return;
    receiver = { lat: own.lat, lon: own.lon, origin: 'receiver' };
    // The sensor may have been removed meanwhile.
    if ((await platformSensorName(tx, sensorId)) !== null) await writePlace(tx, sensorId, receiver);
  }

  function farthest({ positions }: Batch): Farthest[] {
    if (receiver === null) return [];
    const from = pointOf(receiver);
    const found = new Map<number, Farthest>();
    for (const position of positions) {
      const { mmsi, time, flags, messageType } = position;
      if (!SHIP_MESSAGES.has(messageType) || (flags & (FLAG.jump | FLAG.future)) !== 0) continue;
      const to = pointOf(position);
      const metres = Math.round(distanceM(from, to));
      if (metres === 0 || metres > METRES_MAX) continue;
      const sector = Math.floor((bearingDeg(from, to) * AIS_RANGE_SECTORS) / 360) % AIS_RANGE_SECTORS;
      const day = Math.floor(time / DAY_US);
      const key = day * AIS_RANGE_SECTORS + sector;
      if (metres <= (cached.get(key) ?? 0)) continue;
      cached.set(key, metres);
      found.set(key, { day, sector, metres, mmsi, time });
    }
    if (cached.size > CACHED_MAX) cached.clear();
    return [...found.values()];
  }

  return {
    /** Discards the cache. Call it after rows were deleted or the position was set. */
    forget(): void {
      cached.clear();
      readMs = Number.NEGATIVE_INFINITY;
    },

    /**
     * Writes ranges in the transaction that writes the batch. If the transaction fails, create a new object, since the
     * cache is then ahead of the rows.
     */
    async write(tx: Db, sourceId: number, batch: Batch): Promise<void> {
      await readPlace(tx);
      if (batch.own) await takeOwn(tx, batch.own);
      const rows = farthest(batch);
      if (rows.length === 0) return;
      const each = <Key extends keyof Farthest>(key: Key) => rows.map((row) => row[key]);
      await sql`insert into ais_ranges (source_id, day, sector, metres, mmsi, time)
        select ${sourceId}::integer, * from unnest(${each('day')}::integer[], ${each('sector')}::smallint[],
          ${each('metres')}::integer[], ${each('mmsi')}::integer[], ${each('time')}::bigint[])
        on conflict (source_id, day, sector) do update set
          metres = excluded.metres, mmsi = excluded.mmsi, time = excluded.time
        where excluded.metres > ais_ranges.metres`.execute(tx);
    },
  };
}

/** Reads the range for each day of these sources, which must all belong to one sensor. */
export async function rangesOf(
  db: Db,
  sources: readonly AisSource[],
): Promise<Pick<AisRange, 'days' | 'securityClassification'>> {
  const ids = sources.map(({ id }) => id);
  const { rows } = await sql<Farthest>`
    with own as (select * from ais_ranges where source_id = any (${ids}::integer[]))
    select distinct on (day, sector) day, sector, metres, mmsi, time from own
    where day in (select distinct day from own order by day desc limit ${AIS_RANGE_DAYS_MAX})
    order by day desc, sector, metres desc`.execute(db);
  const days = new Map<number, (FarthestShip | null)[]>();
  for (const { day, sector, metres, mmsi, time } of rows) {
    const sectors = days.get(day) ?? new Array<FarthestShip | null>(AIS_RANGE_SECTORS).fill(null);
    days.set(day, sectors);
    sectors[sector] = { ...stationOf(mmsi), metres, timestamp: time };
  }
  return {
    days: [...days].map(([day, sectors]) => ({
      day: new Date((day * DAY_US) / 1000).toISOString().slice(0, 10),
      sectors,
    })),
    securityClassification: highestLabel(sources),
  };
}

/** Returns the position of the receiver; null if it is unknown. */
export async function placeOfReceiver(db: Db, sensorId: string): Promise<AisRange['place']> {
  const row = await storedReceiver(db, sensorId);
  return row && { ...pointOf(row), origin: row.origin };
}

async function storedReceiver(db: Db, sensorId: string): Promise<Receiver | null> {
  const row = await db
    .selectFrom('ais_receivers')
    .where('sensor_id', '=', sensorId)
    .select(['lat', 'lon', 'origin'])
    .executeTakeFirst();
  return row ?? null;
}

async function writePlace(db: Db, sensorId: string, { lat, lon, origin }: Receiver): Promise<void> {
  await db
    .insertInto('ais_receivers')
    .values({ sensor_id: sensorId, lat, lon, origin })
    .onConflict((conflict) => conflict.column('sensor_id').doUpdateSet({ lat, lon, origin }))
    .execute();
}

/** Sets the place by hand; ranges that were measured from another place are deleted. */
export async function setPlaceOfReceiver(db: Db, sensorId: string, place: { lat: number; lon: number }): Promise<void> {
  await writePlace(db, sensorId, { ...placed(place.lat, place.lon), origin: 'hand' });
  await db
    .deleteFrom('ais_ranges')
    .where('source_id', 'in', (eb) => eb.selectFrom('ais_sources').where('sensor_id', '=', sensorId).select('id'))
    .execute();
}
