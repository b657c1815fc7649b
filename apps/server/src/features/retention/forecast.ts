import type { getStorageForecast } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import { asSystem } from '../../base/access/visibility.ts';
import type { Database } from '../../base/db/schema.ts';
import { readSetting } from '../../base/db/settings.ts';
import { uploadReserve } from '../../base/storage/space-rule.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { diskGrowth } from './disk-use.ts';

const DAY_US = 24 * 3_600_000_000;
const DAYS = 30;
/** A date later than this is shown as never. */
const HORIZON_DAYS = 36_500;

export type Forecast = z.output<typeof getStorageForecast.answer>;

/**
 * When the disk is full, if it fills as in the last 30 days: by its own use, or by the files that came where these were
 * more, as when something was removed meanwhile. The earlier date is the safe one.
 */
export async function storageForecast(
  { db, storage }: { db: Kysely<Database>; storage: Pick<Storage, 'space'> },
  nowUs: number,
): Promise<Forecast> {
  const since = nowUs - DAYS * DAY_US;
  const dayOf = (column: string) =>
    sql<number>`least(${DAYS - 1}, (${sql.ref(column)} - ${since}::bigint) / ${DAY_US}::bigint)::int`;
  const bytes = sql<number>`sum(size_bytes)::bigint`;
  const [files, documents] = await Promise.all([
    asSystem(db, 'retention')
      .selectFrom('files')
      .where('created', '>', since)
      .select([dayOf('created').as('day'), bytes.as('bytes')])
      .groupBy('day')
      .execute(),
    asSystem(db, 'retention')
      .selectFrom('documents')
      .where('creation_time', '>', since)
      .select([dayOf('creation_time').as('day'), bytes.as('bytes')])
      .groupBy('day')
      .execute(),
  ]);
  const came = [...files, ...documents];
  const bin = await asSystem(db, 'retention')
    .selectFrom('files')
    .innerJoin('sensors', 'sensors.id', 'files.sensor_id')
    .innerJoin('missions', 'missions.id', 'sensors.mission_id')
    .where('missions.deleted_time', 'is not', null)
    .select(sql<number>`coalesce(sum(files.size_bytes), 0)::bigint`.as('bytes'))
    .executeTakeFirstOrThrow();
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
    binBytes: bin.bytes,
    fullTime: reached(freeBytes),
    uploadsStopTime: reached(freeBytes - uploadReserve(totalBytes)),
    days,
  };
}
