import { type Job, job } from '@osprey/contract';
import { sql } from 'kysely';
import { type Db as BossDb, fromKysely, PgBoss } from 'pg-boss';
import type { Db } from '../access/as-system.ts';
import { listenForNotices } from '../db/notices.ts';

export type JobKind = Job['kind'];
export const jobKinds: readonly JobKind[] = job.shape.kind.options;

const SCHEMA = 'pgboss';
/** Queue messages only ask a worker to look at a job. Attempts, progress and outcome are stored in the table `jobs`. */
const QUEUE_OPTIONS = {
  // Allows at most one waiting message per job; a message being processed does not count.
  policy: 'short',
  retryLimit: 0,
  expireInSeconds: 24 * 3600,
  retentionSeconds: 14 * 24 * 3600,
  deleteAfterSeconds: 3600,
  // Notifies workers of a new message immediately.
  notify: true,
} as const;

/**
 * Creates pg-boss's schema and the server's queues. Must run as the owner of the database, as part of the migration,
 * since the application's role may not create schemas. With `appRole`, that role is granted what it needs to use the
 * queues.
 */
export async function prepareJobs(ownerDb: Db, appRole: string | null = null): Promise<void> {
  const boss = new PgBoss({ db: fromKysely(ownerDb), schema: SCHEMA, supervise: false, schedule: false });
  const failures: unknown[] = [];
  boss.on('error', (error) => failures.push(error));
  await boss.start();
  try {
    for (const kind of jobKinds) {
      const queue = await boss.getQueue(kind);
      if (queue === null) await boss.createQueue(kind, QUEUE_OPTIONS);
      else if (!queue.notify) await boss.updateQueue(kind, { notify: QUEUE_OPTIONS.notify });
    }
    if (appRole !== null) await grant(ownerDb, appRole);
  } finally {
    await boss.stop({ graceful: false });
  }
  if (failures.length > 0) throw failures[0];
}

async function grant(ownerDb: Db, appRole: string): Promise<void> {
  const schema = sql.id(SCHEMA);
  const role = sql.id(appRole);
  await sql`grant usage on schema ${schema} to ${role}`.execute(ownerDb);
  await sql`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`.execute(ownerDb);
  await sql`grant execute on all functions in schema ${schema} to ${role}`.execute(ownerDb);
}

type BossOptions = {
  db: Db;
  /**
   * URL of the database, for the process that works on jobs: it listens for messages there and also removes old ones.
   * Null in other processes.
   */
  worksAt: string | null;
  onError: (error: unknown) => void;
};

/** Starts pg-boss with the application's settings. */
export async function startBoss({ db, worksAt, onError }: BossOptions): Promise<PgBoss> {
  const works = worksAt !== null;
  const boss = new PgBoss({
    db: works ? { ...fromKysely(db), listen: listenerAt(worksAt, onError) } : fromKysely(db),
    useListenNotify: works,
    schema: SCHEMA,
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise: works,
    // Disabled, since rebuilding indexes and monitoring vacuum require the owner's rights.
    reindex: false,
    monitorVacuum: false,
  });
  boss.on('error', onError);
  return boss.start();
}

/** Listens for messages with the server's own notice connection, which detects a silent connection within seconds. */
const listenerAt =
  (url: string, onError: BossOptions['onError']): NonNullable<BossDb['listen']> =>
  (channel, onNotification, onRegained) =>
    listenForNotices({
      ...{ url, channels: [channel], onRegained, onError },
      onNotice: (_channel, payload) => onNotification(payload),
      onLost: () => undefined,
    });
