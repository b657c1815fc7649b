import { type Job, job } from '@osprey/contract';
import { sql } from 'kysely';
import { type Db as BossDb, fromKysely, PgBoss } from 'pg-boss';
import type { Db } from '../access/as-system.ts';
import { listenForNotices } from '../db/notices.ts';

export type JobKind = Job['kind'];
export const jobKinds: readonly JobKind[] = job.shape.kind.options;

const SCHEMA = 'pgboss';
/** The queue carries only "look at this job": tries, progress and outcome are in the table `jobs`. */
const QUEUE_OPTIONS = {
  // At most one message per job waits; one being worked on does not count.
  policy: 'short',
  retryLimit: 0,
  expireInSeconds: 24 * 3600,
  retentionSeconds: 14 * 24 * 3600,
  deleteAfterSeconds: 3600,
  // Workers are notified of a message at once.
  notify: true,
} as const;

/**
 * Makes pg-boss's schema and our queues. For the role that owns the database, as part of the migration: the role of
 * the application may not create schemas. With `appRole` that role is given what it needs to work the queues.
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
  /** For who works, in one process: the address of the database, to hear of messages there. It tidies old ones, too. */
  worksAt: string | null;
  onError: (error: unknown) => void;
};

/** Starts pg-boss as the application uses it. */
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
    // Rebuilding indexes and judging vacuum need the owner's rights.
    reindex: false,
    monitorVacuum: false,
  });
  boss.on('error', onError);
  return boss.start();
}

/** Listens as the rest of the server does: it notices a connection that fell silent within seconds. */
const listenerAt =
  (url: string, onError: BossOptions['onError']): NonNullable<BossDb['listen']> =>
  (channel, onNotification, onRegained) =>
    listenForNotices({
      ...{ url, channels: [channel], onRegained, onError },
      onNotice: (_channel, payload) => onNotification(payload),
      onLost: () => undefined,
    });
