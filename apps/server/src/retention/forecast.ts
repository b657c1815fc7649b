import type { getStorageForecast } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import { asSystem } from '../access/visibility.ts';
import type { Database } from '../db/schema.ts';
import { uploadReserve } from '../storage/space-rule.ts';
import type { Storage } from '../storage/storage.ts';

const DAY_US = 24 * 3_600_000_000;
const DAYS = 30;
/** Nobody plans so far: later than this is never. */
const HORIZON_DAYS = 36_500;

export type Forecast = z.output<typeof getStorageForecast.answer>;

/** When the disk is full, if files keep coming as in the last 30 days. */
export async function storageForecast(
  { db, storage }: { db: Kysely<Database>; storage: Pick<Storage, 'space'> },
  nowUs: number,
): Promise<Forecast> {
  const since = nowUs - DAYS * DAY_US;
  const rows = await asSystem(db, 'retention')
    .selectFrom('files')
    .where('created', '>', since)
    .select(sql<number>`least(${DAYS - 1}, (created - ${since}::bigint) / ${DAY_US}::bigint)::int`.as('day'))
    .select(sql<number>`sum(size_bytes)::bigint`.as('bytes'))
    .groupBy('day')
    .execute();
  const bin = await asSystem(db, 'retention')
    .selectFrom('files')
    .innerJoin('sensors', 'sensors.id', 'files.sensor_id')
    .innerJoin('missions', 'missions.id', 'sensors.mission_id')
    .where('missions.deleted_time', 'is not', null)
    .select(sql<number>`coalesce(sum(files.size_bytes), 0)::bigint`.as('bytes'))
    .executeTakeFirstOrThrow();
  const days = Array.from({ length: DAYS }, (_, day) => ({
    time: since + day * DAY_US,
    bytes: rows.find((row) => row.day === day)?.bytes ?? 0,
  }));
  const { freeBytes, totalBytes } = await storage.space();
  const growthBytes = days.reduce((sum, { bytes }) => sum + bytes, 0) / DAYS;
  const reached = (bytes: number): number | null => {
    if (growthBytes === 0) return null;
    const left = Math.max(0, bytes) / growthBytes;
    return left > HORIZON_DAYS ? null : Math.round(nowUs + left * DAY_US);
  };
  return {
    totalBytes,
    freeBytes,
    growthBytes,
    binBytes: bin.bytes,
    fullTime: reached(freeBytes),
    uploadsStopTime: reached(freeBytes - uploadReserve(totalBytes)),
    days,
  };
}
