import { AppError } from '@osprey/contract';
import type { Kysely, Selectable } from 'kysely';
import type { Database } from '../db/schema.ts';
import { knownError } from './known-error.ts';

/** Work that belongs to a user instead of a sensor, such as an export or import. Only that user can see it. */
export type TaskRow = Selectable<Database['tasks']>;
export type TaskKind = 'export' | 'import' | 'list' | 'caseExport';

const MAX_ATTEMPTS = 3;
/** Intervals of the runner, in milliseconds. A task whose process died is resumed within `stale` + `look`. */
export const taskTiming = { look: 1000, tick: 1000, stale: 20_000 };

export type TaskContext = {
  task: TaskRow;
  /** Aborts the work when the task is cancelled or taken over, or when the server stops. */
  signal: AbortSignal;
  /** Reports the progress, 0 to 100. */
  progress: (percent: number) => void;
};

/** Fields written to the row when the work is done. */
export type TaskOutcome = { result: unknown; storageKey?: string; sizeBytes?: number };

export type TaskDefinition = {
  kind: TaskKind;
  /**
   * Carries out the task. Every step must be repeatable. An AppError below 500 fails the task immediately; after any
   * other error it is tried up to three times.
   */
  run: (context: TaskContext) => Promise<TaskOutcome>;
  /** Called after the last attempt or a cancellation. Removes everything that the task created. */
  ended: (task: TaskRow, sentence: string) => Promise<void>;
};

export type TaskRunnerDeps = {
  db: Kysely<Database>;
  definitions: readonly TaskDefinition[];
  nowUs: () => number;
  log: { warn: (fields: object, text: string) => void; error: (fields: object, text: string) => void };
  timing?: typeof taskTiming;
};

/** Runs tasks, at most one of each kind at a time. */
export function taskRunner({ db, definitions, nowUs, log, timing = taskTiming }: TaskRunnerDeps) {
  const running = new Map<TaskKind, { abort: AbortController; done: Promise<void> }>();
  let timer: NodeJS.Timeout | null = null;
  let stopping = false;

  /** Claims the oldest task of a kind that is waiting or whose process died. */
  async function claim(kind: TaskKind): Promise<TaskRow | undefined> {
    return db.transaction().execute(async (tx) => {
      const next = await tx
        .selectFrom('tasks')
        .select('id')
        .where('kind', '=', kind)
        .where((eb) =>
          eb.or([
            eb('state', '=', 'waiting'),
            eb('state', '=', 'running').and('heartbeat', '<', nowUs() - timing.stale * 1000),
          ]),
        )
        .orderBy('created')
        .limit(1)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      if (next === undefined) return undefined;
      return tx
        .updateTable('tasks')
        .set((eb) => ({ state: 'running', attempts: eb('attempts', '+', 1), heartbeat: nowUs(), progress: 0 }))
        .where('id', '=', next.id)
        .returningAll()
        .executeTakeFirst();
    });
  }

  const own = (task: TaskRow) =>
    db
      .updateTable('tasks')
      .where('id', '=', task.id)
      .where('state', '=', 'running')
      .where('attempts', '=', task.attempts);

  async function work(definition: TaskDefinition, task: TaskRow, abort: AbortController): Promise<void> {
    let percent = 0;
    const beat = async () => {
      const updated = await own(task).set({ heartbeat: nowUs(), progress: percent }).executeTakeFirst();
      if (updated.numUpdatedRows === 0n) abort.abort(new Error('Cancelled'));
    };
    const ticker = setInterval(
      () => void beat().catch((error) => log.warn({ error }, 'task heartbeat failed')),
      timing.tick,
    );
    try {
      if (task.attempts > MAX_ATTEMPTS)
        throw new AppError('ruleRefused', { reason: 'The server stopped during each try.' });
      const { result, storageKey, sizeBytes } = await definition.run({
        task,
        signal: abort.signal,
        progress: (value) => {
          percent = Math.min(100, Math.max(0, value));
        },
      });
      const stored = { storage_key: storageKey ?? null, ...(sizeBytes === undefined ? {} : { size_bytes: sizeBytes }) };
      const end = { state: 'done', progress: 100, result: JSON.stringify(result), error: null, ended: nowUs() };
      const retained = await own(task)
        .set({ ...end, ...stored })
        .executeTakeFirst();
      // The task was cancelled at the last moment, so its result is removed.
      if (retained.numUpdatedRows === 0n) await definition.ended(task, 'Cancelled.');
    } catch (error) {
      await fall(definition, task, abort.signal, error);
    } finally {
      clearInterval(ticker);
    }
  }

  async function fall(definition: TaskDefinition, task: TaskRow, signal: AbortSignal, error: unknown): Promise<void> {
    if (stopping && signal.aborted) {
      // The server is stopping, so this attempt does not count.
      await own(task)
        .set({ state: 'waiting', attempts: task.attempts - 1, heartbeat: null })
        .execute();
      return;
    }
    const known = knownError(error);
    if (known === null && !signal.aborted) log.error({ taskId: task.id, kind: task.kind, error }, 'task failed');
    const final =
      (error instanceof AppError && error.status !== 503) || task.attempts >= MAX_ATTEMPTS || signal.aborted;
    const sentence = known?.message ?? 'The server failed at this step.';
    if (!final) {
      await own(task).set({ state: 'waiting', error: sentence, heartbeat: null }).execute();
      return;
    }
    await definition.ended(task, sentence);
    await own(task).set({ state: 'failed', error: sentence, ended: nowUs() }).execute();
  }

  /** Starts waiting tasks of kinds that are idle. Returns whether there were any. */
  async function startWaiting(): Promise<boolean> {
    let found = false;
    for (const definition of definitions) {
      if (stopping || running.has(definition.kind)) continue;
      const task = await claim(definition.kind);
      if (task === undefined) continue;
      found = true;
      const abort = new AbortController();
      const done = work(definition, task, abort)
        .catch((error) => log.error({ taskId: task.id, error }, 'a task could not be ended'))
        .finally(() => running.delete(definition.kind));
      running.set(definition.kind, { abort, done });
    }
    return found;
  }

  return {
    start(): void {
      timer = setInterval(
        () => void startWaiting().catch((error) => log.warn({ error }, 'looking for tasks failed')),
        timing.look,
      );
    },
    /** Runs tasks until none is waiting. */
    async settle(): Promise<void> {
      while (await startWaiting()) await Promise.all([...running.values()].map(({ done }) => done));
    },
    async stop(): Promise<void> {
      stopping = true;
      if (timer !== null) clearInterval(timer);
      for (const { abort } of running.values()) abort.abort(new Error('The server stops'));
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
