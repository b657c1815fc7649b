import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';

export type BackupRun = Selectable<Database['backup_runs']>;
type Kind = BackupRun['kind'];
type Origin = BackupRun['origin'];

/** Time after which finished runs are deleted, in microseconds. An existing backup does not need its run. */
const RETENTION_US = 30 * 24 * 3600 * 1_000_000;

export type BackupRuns = ReturnType<typeof backupRuns>;

/** Waiting, running and finished operations on backups. */
export function backupRuns({ db, nowUs }: { db: Db; nowUs: () => number }) {
  async function order(
    kind: Kind,
    name: string,
    origin: Origin,
    by: string | null,
    itemId: string | null = null,
  ): Promise<BackupRun> {
    return db
      .insertInto('backup_runs')
      .values({ kind, name, origin, requested_by: by, item_id: itemId, created: nowUs(), error: null, finished: null })
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  /** Reads the run that is waiting or running. There is at most one, since only one order is accepted at a time. */
  const open = () =>
    db
      .selectFrom('backup_runs')
      .selectAll()
      .where('state', 'in', ['waiting', 'running'])
      .orderBy('created')
      .executeTakeFirst();

  return {
    open,

    /**
     * Orders an operation. Null if another one is waiting or running, since two simultaneous operations would only
     * hinder each other.
     */
    async request(
      kind: Kind,
      name: string,
      origin: Origin,
      by: string | null,
      itemId: string | null = null,
    ): Promise<BackupRun | null> {
      return db.transaction().execute(async (tx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended('backup order', 0))`.execute(tx);
        const inside = backupRuns({ db: tx, nowUs });
        return (await inside.open()) === undefined ? inside.add(kind, name, origin, by, itemId) : null;
      });
    },

    /**
     * Orders several restores in this order, each as a run of its own. Empty if another operation is waiting or
     * running.
     */
    async requestRestores(files: readonly { id: string; storageKey: string }[], by: string): Promise<BackupRun[]> {
      return db.transaction().execute(async (tx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended('backup order', 0))`.execute(tx);
        const inside = backupRuns({ db: tx, nowUs });
        if ((await inside.open()) !== undefined) return [];
        const added: BackupRun[] = [];
        for (const { id, storageKey } of files) added.push(await inside.add('restore', storageKey, 'manual', by, id));
        return added;
      });
    },

    add: order,

    /** Takes the next waiting run and marks it as running. */
    take: () =>
      db
        .updateTable('backup_runs')
        .set({ state: 'running', progress: 0 })
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('backup_runs')
            .select('id')
            .where('state', '=', 'waiting')
            .orderBy('created')
            .orderBy('id')
            .limit(1),
        )
        .returningAll()
        .executeTakeFirst(),

    async progress(id: string, percent: number): Promise<void> {
      await db.updateTable('backup_runs').set({ progress: percent }).where('id', '=', id).execute();
    },

    async end(id: string, error: string | null): Promise<void> {
      const state = error === null ? 'done' : 'failed';
      await db.updateTable('backup_runs').set({ state, error, finished: nowUs() }).where('id', '=', id).execute();
    },

    /** Returns a run to the queue, so that it starts again after the restart of the server. */
    async park(id: string): Promise<void> {
      await db.updateTable('backup_runs').set({ state: 'waiting', progress: 0 }).where('id', '=', id).execute();
    },

    /**
     * Returns runs that were interrupted. Called at the start of the only process that works on them, when no earlier
     * run can still be running.
     */
    interrupted: () => db.selectFrom('backup_runs').selectAll().where('state', '=', 'running').execute(),

    /** Returns all runs, newest first. */
    all: () => db.selectFrom('backup_runs').selectAll().orderBy('created', 'desc').execute(),

    /**
     * Returns the time of the last backup. Backups dated in the future, by a clock that was ahead, are ignored, so that
     * they do not delay the next one.
     */
    async lastCreated(origin: Origin): Promise<number | null> {
      const row = await db
        .selectFrom('backup_runs')
        .select((eb) => eb.fn.max('created').as('created'))
        .where('kind', '=', 'create')
        .where('origin', '=', origin)
        .where('created', '<=', nowUs())
        .executeTakeFirst();
      return row?.created ?? null;
    },

    async forget(names: readonly string[]): Promise<void> {
      if (names.length === 0) return;
      await db
        .deleteFrom('backup_runs')
        .where('name', 'in', [...names])
        .where('state', 'in', ['done', 'failed'])
        .execute();
    },

    async sweep(): Promise<void> {
      await db
        .deleteFrom('backup_runs')
        .where('finished', '<', nowUs() - RETENTION_US)
        .execute();
    },
  };
}
