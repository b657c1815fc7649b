import { sql } from 'kysely';
import type { Db } from '../access/as-system.ts';
import { CLEANUP_PENDING } from './queue.ts';
import type { JobRow } from './subject.ts';

/**
 * Maximum number of lost jobs to look at in one pass, from the head of a long queue. The remaining ones are handled in
 * later passes.
 */
const LOST_JOBS_MAX = 200;

export const readJob = (db: Db, id: string) =>
  db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();

/** Changes the row only if no later try has replaced this one. */
export const ownRow = (db: Db, row: JobRow) =>
  db.updateTable('jobs').where('id', '=', row.id).where('state', '=', 'running').where('attempts', '=', row.attempts);

/**
 * Claims a job for this worker. Null if the job is done, or if a live worker is already working on it or on its sensor.
 */
export async function claim(db: Db, row: JobRow, now: number, stale: number): Promise<JobRow | null> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${row.kind}/${row.sensor_id ?? row.document_id}`}, 0))`.execute(
      tx,
    );
    const claimed = await tx
      .updateTable('jobs')
      .set((eb) => ({ state: 'running', attempts: eb('attempts', '+', 1), heartbeat: now, progress: 0 }))
      .where('id', '=', row.id)
      .where((eb) => eb.or([eb('state', '=', 'waiting'), eb('state', '=', 'running').and('heartbeat', '<', stale)]))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('jobs as other')
              .select('other.id')
              .where('other.id', '!=', row.id)
              .where('other.kind', '=', row.kind)
              .where(sameSubject(row, 'other'))
              .where('other.state', '=', 'running')
              .where('other.heartbeat', '>=', stale),
          ),
        ),
      )
      .returningAll()
      .executeTakeFirst();
    return claimed ?? null;
  });
}

/**
 * Marks the job as done, together with earlier failed jobs of the same order, so that no user is offered to retry
 * those.
 */
export async function markDone(db: Db, row: JobRow, now: number): Promise<void> {
  const done = { state: 'done', progress: 100, heartbeat: now, error: null };
  const updated = await ownRow(db, row).set(done).executeTakeFirst();
  if (updated.numUpdatedRows === 0n) return;
  await db
    .updateTable('jobs')
    .set(done)
    .where(sameSubject(row))
    .where('kind', '=', row.kind)
    .where('file_id', 'is not distinct from', row.file_id)
    .where('state', '=', 'failed')
    .execute();
}

/** Marks a cancelled job as tidied up, so that no worker does it again. */
export async function markCleanedUp(db: Db, { id }: JobRow): Promise<void> {
  await db.updateTable('jobs').set({ heartbeat: null }).where('id', '=', id).where('state', '=', 'cancelled').execute();
}

/** Returns the ids of jobs that were skipped while this job was using their sensor. */
export async function passedOver(db: Db, row: JobRow): Promise<string[]> {
  const waiting = await db
    .selectFrom('jobs')
    .select('id')
    .where(sameSubject(row))
    .where('kind', '=', row.kind)
    .where('state', '=', 'waiting')
    .where('attempts', '=', 0)
    .execute();
  return waiting.map(({ id }) => id);
}

/**
 * Returns jobs that have no live worker because it died or because their message was lost. Jobs that had already begun
 * come first.
 */
export const lostJobs = (db: Db, stale: number): Promise<Pick<JobRow, 'id' | 'kind'>[]> =>
  db
    .selectFrom('jobs')
    .select(['id', 'kind'])
    .where((eb) =>
      eb.or([
        eb('state', '=', 'waiting').and('created', '<', stale),
        eb('state', '=', 'running').and('heartbeat', '<', stale),
      ]),
    )
    // 'running' sorts before 'waiting'. Jobs that users have already seen running are resumed before a long queue.
    .orderBy('state')
    .orderBy('priority', 'desc')
    .orderBy('created')
    .limit(LOST_JOBS_MAX)
    .execute();

/** Jobs that were cancelled while their worker died or stopped, and that nobody has tidied up. */
export const cleanupPendingJobs = (db: Db): Promise<Pick<JobRow, 'id' | 'kind'>[]> =>
  db
    .selectFrom('jobs')
    .select(['id', 'kind'])
    .where('state', '=', 'cancelled')
    .where('heartbeat', '=', CLEANUP_PENDING)
    .execute();

/** Jobs over the same sensor, or the same document. */
const sameSubject = ({ sensor_id, document_id }: JobRow, table = 'jobs') =>
  sql<boolean>`(${sql.table(table)}.sensor_id, ${sql.table(table)}.document_id)
    is not distinct from (${sensor_id}::uuid, ${document_id}::uuid)`;
