import type { Kysely } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import type { JobQueue } from '../../base/jobs/queue.ts';

export type OrderReadingDeps = {
  db: Kysely<Database>;
  queue: Pick<JobQueue, 'enqueue'>;
  changed: (noun: 'missions', ids: string[]) => void;
};

type Requested = { missionId: string; sensorId: string; message: string };

/** Queues a sensor to be read again from its originals with priority, and shows this in the sensor's message. */
export async function orderReading(
  { db, queue, changed }: OrderReadingDeps,
  { message, ...order }: Requested,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await asSystem(tx, 'ingest').updateTable('sensors').set({ message }).where('id', '=', order.sensorId).execute();
    await queue.enqueue(tx, 'ingest', order, 'first');
  });
  changed('missions', [order.missionId]);
}
