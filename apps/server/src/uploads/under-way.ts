import { sql } from 'kysely';
import { asSystem, type Db } from '../base/access/as-system.ts';

/** Whether bytes of a file for this mission were received since a given time. */
export async function isUploadedTo(tx: Db, missionId: string, since: number): Promise<boolean> {
  const row = await asSystem(tx, 'authorized change')
    .selectFrom('uploads')
    .innerJoin('sensors', 'sensors.id', 'uploads.sensor_id')
    .select('uploads.id')
    .where('sensors.mission_id', '=', missionId)
    .where('uploads.updated', '>', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the number of unfinished resumable uploads, and the number of their durable bytes. */
export const uploadsUnderWay = (db: Db): Promise<{ count: number; bytes: number }> =>
  db
    .selectFrom('uploads')
    .select([sql<number>`count(*)`.as('count'), sql<number>`coalesce(sum(offset_bytes), 0)::bigint`.as('bytes')])
    .executeTakeFirstOrThrow();
