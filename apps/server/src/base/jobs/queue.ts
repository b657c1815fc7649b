import type { Insertable } from 'kysely';
import { fromKysely, type PgBoss } from 'pg-boss';
import type { Db } from '../access/as-system.ts';
import type { Database } from '../db/schema.ts';
import type { JobKind } from './boss.ts';

/** The subject of a job: a sensor, all of it or one file, or a document. */
export type JobOrder = { missionId: string; sensorId: string; fileId?: string } | { documentId: string };

/**
 * `last`: after all other jobs. `first`: before those that wait. `quick`: the rest takes moments, and does not wait for
 * long jobs.
 */
export const JOB_PRIORITY = { last: -1, usual: 0, first: 1, quick: 2 } as const;
export type JobPriority = keyof typeof JOB_PRIORITY;

/** Heartbeat of a cancelled job whose kind has not tidied up yet. */
export const CLEANUP_PENDING = 0;

export type JobQueue = ReturnType<typeof jobQueue>;

/** Orders work. Every function takes part in the transaction it is given, so a job exists exactly when its cause does. */
export function jobQueue({ boss, nowUs }: { boss: PgBoss; nowUs: () => number }) {
  /** Asks the runner to look at a job, by its own priority or `first`; a message that waits already is enough. */
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
     * Returns the job's id. A job of the same kind for the same order that has not begun, and is not to come later, is
     * taken, as it is, instead of a second one.
     */
    async enqueue(db: Db, kind: JobKind, order: JobOrder, priority: JobPriority = 'usual'): Promise<string> {
      // The lock makes a runner that takes the waiting job wait for this transaction, and so see what it added.
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

    /** A failed or cancelled job from its beginning. False when it is neither. */
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

    /** A job that waits, runs or failed. The runner stops it within seconds and lets its kind tidy up. */
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
