import type { Insertable } from 'kysely';
import { fromKysely, type PgBoss } from 'pg-boss';
import type { Db } from '../access/as-system.ts';
import type { Database } from '../db/schema.ts';
import type { JobKind } from './boss.ts';

/** Subject of a job: a whole sensor, one of its files, or a document. */
export type JobOrder = { missionId: string; sensorId: string; fileId?: string } | { documentId: string };

/**
 * Priorities of jobs. `last` runs after all other jobs, and `first` before those that are waiting. `quick` is for jobs
 * whose remaining work takes moments, so that they do not wait for long ones.
 */
export const JOB_PRIORITY = { last: -1, usual: 0, first: 1, quick: 2 } as const;
export type JobPriority = keyof typeof JOB_PRIORITY;

/** Heartbeat value of a cancelled job that has not been cleaned up yet. */
export const CLEANUP_PENDING = 0;

export type JobQueue = ReturnType<typeof jobQueue>;

/**
 * Creates and controls jobs. Every function runs in the given transaction, so that a job exists exactly if the change
 * that causes it is committed.
 */
export function jobQueue({ boss, nowUs }: { boss: PgBoss; nowUs: () => number }) {
  /**
   * Sends a message asking the runner to look at a job, with the job's own priority or at least `first`. Has no effect
   * if a message for the job is already waiting.
   */
  async function wake(db: Db, kind: JobKind, id: string, { afterSeconds = 0, first = false } = {}): Promise<void> {
    const startAfter = afterSeconds > 0 ? { startAfter: Math.ceil(afterSeconds) } : {};
    const row = await db.selectFrom('jobs').select('priority').where('id', '=', id).executeTakeFirst();
    const own = row?.priority ?? JOB_PRIORITY.usual;
    const priority = first ? Math.max(own, JOB_PRIORITY.first) : own;
    await boss.send(kind, { id }, { db: fromKysely(db), singletonKey: id, priority, ...startAfter });
  }

  return {
    wake,

    /**
     * Creates a job and returns its id. If a job of the same kind and order is waiting, has not begun and is not of low
     * priority, that job is used unchanged instead.
     */
    async enqueue(db: Db, kind: JobKind, order: JobOrder, priority: JobPriority = 'usual'): Promise<string> {
      // The row lock makes a runner that claims the waiting job wait for this transaction, so that it sees the changes
      // made here.
      const { sensor_id, file_id, document_id } = columnsOf(order);
      const waiting = await db
        .selectFrom('jobs')
        .select('id')
        .where('kind', '=', kind)
        .where('state', '=', 'waiting')
        .where('priority', '>=', Math.min(JOB_PRIORITY[priority], JOB_PRIORITY.usual))
        .where('sensor_id', 'is not distinct from', sensor_id)
        .where('file_id', 'is not distinct from', file_id)
        .where('document_id', 'is not distinct from', document_id)
        .forUpdate()
        .executeTakeFirst();
      const id =
        waiting?.id ??
        (await insert(db, { ...rowOf(kind, order), priority: JOB_PRIORITY[priority], created: nowUs() }));
      await wake(db, kind, id);
      return id;
    },

    /** Restarts a failed or cancelled job from the beginning. False if the job is neither. */
    async retry(db: Db, id: string): Promise<boolean> {
      const again = await db
        .updateTable('jobs')
        .set({ state: 'waiting', attempts: 0, error: null, progress: 0, heartbeat: null })
        .where('id', '=', id)
        .where('state', 'in', ['failed', 'cancelled'])
        .returning('kind')
        .executeTakeFirst();
      if (again === undefined) return false;
      await wake(db, again.kind as JobKind, id);
      return true;
    },

    /** Cancels a job that is waiting, running or failed. The runner stops it within seconds and cleans up after it. */
    async cancel(db: Db, id: string): Promise<boolean> {
      const cancelled = await db
        .updateTable('jobs')
        .set({ state: 'cancelled', heartbeat: CLEANUP_PENDING })
        .where('id', '=', id)
        .where('state', 'in', ['waiting', 'running', 'failed'])
        .returning('kind')
        .executeTakeFirst();
      if (cancelled === undefined) return false;
      await wake(db, cancelled.kind as JobKind, id);
      return true;
    },
  };
}

function columnsOf(order: JobOrder) {
  if ('documentId' in order) {
    return { mission_id: null, sensor_id: null, file_id: null, document_id: order.documentId };
  }
  const { missionId, sensorId, fileId = null } = order;
  return { mission_id: missionId, sensor_id: sensorId, file_id: fileId, document_id: null };
}

const rowOf = (kind: JobKind, order: JobOrder) => ({ kind, ...columnsOf(order), error: null, heartbeat: null });

async function insert(db: Db, row: Insertable<Database['jobs']>): Promise<string> {
  const { id } = await db.insertInto('jobs').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}
