import { sql } from 'kysely';
import { asSystem, type Db, type SystemReason } from '../access/as-system.ts';

/** Returns the total size of all recordings' files, in bytes. */
export async function bytesOfRecordings(db: Db, reason: SystemReason): Promise<number> {
  const row = await asSystem(db, reason)
    .selectFrom('files')
    .select(sql<number>`coalesce(sum(size_bytes), 0)::bigint`.as('bytes'))
    .executeTakeFirstOrThrow();
  return row.bytes;
}

/** Returns the total size of the recordings of missions in the bin, in bytes. */
export async function bytesInBin(db: Db, reason: SystemReason): Promise<number> {
  const row = await asSystem(db, reason)
    .selectFrom('files')
    .innerJoin('sensors', 'sensors.id', 'files.sensor_id')
    .innerJoin('missions', 'missions.id', 'sensors.mission_id')
    .where('missions.deleted_time', 'is not', null)
    .select(sql<number>`coalesce(sum(files.size_bytes), 0)::bigint`.as('bytes'))
    .executeTakeFirstOrThrow();
  return row.bytes;
}

type Days = { since: number; count: number; dayUs: number };

/**
 * Returns the bytes of recordings and documents added on each day since the time `since`, from which the days are
 * counted.
 */
export async function bytesThatCame(db: Db, reason: SystemReason, { since, count, dayUs }: Days) {
  const dayOf = (column: string) =>
    sql<number>`least(${count - 1}, (${sql.ref(column)} - ${since}::bigint) / ${dayUs}::bigint)::int`;
  const bytes = sql<number>`sum(size_bytes)::bigint`;
  const [files, documents] = await Promise.all([
    asSystem(db, reason)
      .selectFrom('files')
      .where('created', '>', since)
      .select([dayOf('created').as('day'), bytes.as('bytes')])
      .groupBy('day')
      .execute(),
    asSystem(db, reason)
      .selectFrom('documents')
      .where('creation_time', '>', since)
      .select([dayOf('creation_time').as('day'), bytes.as('bytes')])
      .groupBy('day')
      .execute(),
  ]);
  return [...files, ...documents];
}
