import type { getStorageForecast } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { Database } from '../../base/db/schema.ts';
import { readSetting } from '../../base/db/settings.ts';
import { bytesInBin, bytesThatCame } from '../../base/items/stored-bytes.ts';
import { uploadReserve } from '../../base/storage/space-rule.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { diskGrowth } from './disk-use.ts';

const DAY_US = 24 * 3_600_000_000;
const DAYS = 30;
/** Number of days from now after which a date is shown as never. */
const HORIZON_DAYS = 36_500;

export type Forecast = z.output<typeof getStorageForecast.answer>;

/**
 * Forecasts when the disk will be full, if it keeps filling as in the last 30 days. The growth is that of the used
 * space or that of the received files, whichever is more, since deletions reduce the former; this gives the earlier,
 * safer date.
 */
export async function storageForecast(
  { db, storage, aisKeepDays }: { db: Kysely<Database>; storage: Pick<Storage, 'space'>; aisKeepDays: number },
  nowUs: number,
): Promise<Forecast> {
  const since = nowUs - DAYS * DAY_US;
  const came = await bytesThatCame(db, 'retention', { since, count: DAYS, dayUs: DAY_US });
  const inBin = await bytesInBin(db, 'retention');
  const days = Array.from({ length: DAYS }, (_, day) => ({
    time: since + day * DAY_US,
    bytes: came.reduce((sum, row) => (row.day === day ? sum + row.bytes : sum), 0),
  }));
  const { freeBytes, totalBytes } = await storage.space();
  const filesADay = days.reduce((sum, { bytes }) => sum + bytes, 0) / DAYS;
  const used = { time: nowUs, usedBytes: totalBytes - freeBytes };
  const growthBytes = Math.max(filesADay, diskGrowth(await readSetting(db, 'diskUse'), used));
  const reached = (bytes: number): number | null => {
    if (growthBytes === 0) return null;
    const left = Math.max(0, bytes) / growthBytes;
    return left > HORIZON_DAYS ? null : Math.round(nowUs + left * DAY_US);
  };
  return {
    totalBytes,
    freeBytes,
    growthBytes,
    binBytes: inBin,
    fullTime: reached(freeBytes),
    uploadsStopTime: reached(freeBytes - uploadReserve(totalBytes)),
    days,
    ships: await shipsRetained(db, aisKeepDays, nowUs),
  };
}

/** Number of whole days over which the daily size is averaged. */
const MEAN_DAYS = 7;

/** Returns the disk space of AIS positions that belong to no mission, by UTC day of their partitions, packed or not. */
async function shipsRetained(db: Kysely<Database>, keepDays: number, nowUs: number): Promise<Forecast['ships']> {
  const { rows } = await sql<{ day: string; bytes: number }>`
    select substring(part.relname from '_([0-9]{8})') as day, sum(pg_total_relation_size(part.oid))::bigint as bytes
    from pg_inherits tree join pg_class part on part.oid = tree.inhrelid
    where tree.inhparent in ('ais_positions'::regclass, 'ais_blocks'::regclass) group by day order by day desc`.execute(
    db,
  );
  if (rows.length === 0) return null;
  const today = new Date(nowUs / 1000).toISOString().slice(0, 10).replaceAll('-', '');
  // On the first day there is no complete day yet, so the incomplete one is used.
  const complete = rows.filter(({ day }) => day < today).slice(0, MEAN_DAYS);
  const days = complete.length > 0 ? complete : rows;
  const sum = (some: typeof rows) => some.reduce((all, { bytes }) => all + bytes, 0);
  return { bytes: sum(rows), dayBytes: Math.round(sum(days) / days.length), keepDays };
}
