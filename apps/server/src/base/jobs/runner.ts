import type { ItemNoun } from '@osprey/contract';
import type { PgBoss } from 'pg-boss';
import type { Db } from '../access/as-system.ts';
import type { Items } from '../items/items.ts';
import type { JobKind } from './boss.ts';
import { endOf, type JobDefinition, orderOf } from './definition.ts';
import { knownError } from './known-error.ts';
import { JOB_PRIORITY, type JobQueue } from './queue.ts';
import { claim, cleanupPendingJobs, lostJobs, markCleanedUp, markDone, ownRow, passedOver, readJob } from './rows.ts';
import { itemOfJob, type JobRow } from './subject.ts';

const MAX_ATTEMPTS = 3;
/**
 * Kinds of job that may be quick. Quick jobs have workers of their own, which process several at a time, since a
 * recording has one job for each sensor.
 */
const QUICK_KINDS: readonly JobKind[] = ['ingest'];
const QUICK_WORKERS = 2;
const QUICK_JOBS_MAX = 4;

/**
 * Intervals of the runner, in milliseconds. A job whose worker died is resumed within `stale` + `look`. Workers check
 * for messages every `backstop`, since some are scheduled for later, and every `poll` while notices of new messages
 * cannot arrive.
 */
export const jobTiming = {
  tick: 2000,
  stale: 12_000,
  look: 5000,
  poll: 500,
  backstop: 2000,
  retry: [2000, 10_000] as readonly number[],
};
export type JobTiming = typeof jobTiming;

type Taking = { workers: number; batchSize?: number; minPriority?: number };
type Running = { abort: AbortController; progress: number; done: Promise<void> };

export type JobRunnerDeps = {
  db: Db;
  boss: PgBoss;
  queue: JobQueue;
  definitions: readonly JobDefinition[];
  /** Called after a job began or ended, since its item then looks different. */
  changed: (noun: ItemNoun, ids: string[]) => void;
  items: Pick<Items, 'kinds'>;
  log: { warn: (fields: object, text: string) => void; error: (fields: object, text: string) => void };
  nowUs: () => number;
  timing?: JobTiming;
};

/**
 * Processes the queues of one worker process. The states of a job's row:
 *
 * | From      | Event                                         | To                                           |
 * |-----------|-----------------------------------------------|----------------------------------------------|
 * | waiting   | a worker claims it                            | running, with a heartbeat; `attempts` + 1    |
 * | running   | its steps are done                            | done                                         |
 * | running   | the input is at fault, or the last try failed | failed                                       |
 * | running   | another try may help                          | waiting, woken after `retry`                 |
 * | running   | the server stops                              | waiting, `attempts` - 1                      |
 * | running   | no heartbeat for `stale`: its worker died     | running, claimed by another worker           |
 * | not done  | a user cancels it (`queue.ts`)                | cancelled, cleanup pending until `ended` ran |
 * | failed    | a user tries it again (`queue.ts`)            | waiting, from the first try                  |
 * | cancelled | a user tries it again (`queue.ts`)            | waiting, from the first try                  |
 */
export function jobRunner(deps: JobRunnerDeps) {
  const { db, boss, queue, nowUs, log, items, timing = jobTiming } = deps;
  const definitions = new Map(deps.definitions.map((definition) => [definition.kind, definition]));
  const running = new Map<string, Running>();
  let lookTimer: NodeJS.Timeout | null = null;
  let stopping = false;

  const staleBefore = () => nowUs() - timing.stale * 1000;

  async function startWorkers(kind: JobKind, { workers, ...options }: Taking): Promise<void> {
    const polling = {
      pollingIntervalSeconds: timing.poll / 1000,
      notifyPollingIntervalSeconds: timing.backstop / 1000,
    };
    for (let n = 0; n < workers; n += 1) {
      let id = '';
      id = await boss.work<{ id: string }>(kind, { ...polling, ...options }, async (messages) => {
        await Promise.all(messages.map(({ data }) => handle(kind, data.id)));
        // Wake the worker again: other messages may be waiting, and it would otherwise pause before its next check.
        boss.notifyWorker(id);
      });
    }
  }

  async function handle(kind: JobKind, id: string): Promise<void> {
    const definition = definitions.get(kind);
    if (definition === undefined || stopping || running.has(id)) return;
    const row = await readJob(db, id);
    if (row === undefined) return;
    if (row.state === 'cancelled') return tidy(definition, row);
    const claimed = await claim(db, row, nowUs(), staleBefore());
    if (claimed === null) return;
    // The runner was stopped while the job was being claimed: its abort signal would never fire.
    if (stopping) return park(claimed);
    if (claimed.attempts > MAX_ATTEMPTS) return giveUp(definition, claimed, 'The server stopped during each try.');
    await work(definition, claimed);
  }

  async function work(definition: JobDefinition, row: JobRow): Promise<void> {
    const abort = new AbortController();
    const entry: Running = { abort, progress: 0, done: Promise.resolve() };
    running.set(row.id, entry);
    const ticker = setInterval(() => void tick(row, entry), timing.tick);
    announce(row);
    const context = {
      ...orderOf(row),
      attempt: row.attempts,
      signal: abort.signal,
      progress: (percent: number) => {
        entry.progress = Math.min(100, Math.max(0, percent));
      },
    };
    entry.done = definition
      .run(context)
      .then(() => markDone(db, row, nowUs()))
      .catch((error) => fail(definition, row, abort.signal, error))
      // The row is left unchanged; without a heartbeat the job will be claimed again.
      .catch((error) => log.error({ jobId: row.id, kind: row.kind, error }, 'a job could not be ended'))
      .finally(() => {
        clearInterval(ticker);
        running.delete(row.id);
      });
    await entry.done;
    announce(row);
    for (const id of await passedOver(db, row)) await queue.wake(db, definition.kind, id);
  }

  function announce(row: JobRow): void {
    const item = itemOfJob(items.kinds, row);
    if (item) deps.changed(item.kind.noun as ItemNoun, [item.id]);
  }

  /**
   * Stores heartbeat and progress. If no row is updated, the job was cancelled or deleted, or another worker has
   * claimed it.
   */
  async function tick(row: JobRow, entry: Running): Promise<void> {
    try {
      const updated = await ownRow(db, row).set({ heartbeat: nowUs(), progress: entry.progress }).executeTakeFirst();
      if (updated.numUpdatedRows === 0n) entry.abort.abort(new Error('Not this worker’s job any more'));
    } catch (error) {
      log.warn({ jobId: row.id, error }, 'job heartbeat failed');
    }
  }

  async function fail(definition: JobDefinition, row: JobRow, signal: AbortSignal, error: unknown): Promise<void> {
    if (stopping && signal.aborted) return park(row);
    const now = await readJob(db, row.id);
    if (now === undefined || now.attempts !== row.attempts) return;
    if (now.state === 'cancelled') return tidy(definition, row);
    const { sentence, final } = judge(error);
    if (sentence === null) log.error({ jobId: row.id, kind: row.kind, error }, 'job failed');
    const text = sentence ?? 'The server failed at this step.';
    if (final || row.attempts >= MAX_ATTEMPTS) return giveUp(definition, row, text);
    await ownRow(db, row).set({ state: 'waiting', error: text, heartbeat: null }).execute();
    await queue.wake(db, definition.kind, row.id, { afterSeconds: (timing.retry[row.attempts - 1] ?? 0) / 1000 });
  }

  async function giveUp(definition: JobDefinition, row: JobRow, sentence: string): Promise<void> {
    await definition.ended(endOf(row, 'failed', sentence));
    await ownRow(db, row).set({ state: 'failed', error: sentence, attempts: MAX_ATTEMPTS }).execute();
  }

  async function tidy(definition: JobDefinition, row: JobRow): Promise<void> {
    await definition.ended(endOf(row, 'cancelled', 'The job was cancelled.'));
    await markCleanedUp(db, row);
  }

  /** Returns the job to the queue because the server stops. This attempt does not count. */
  async function park(row: JobRow): Promise<void> {
    await ownRow(db, row)
      .set({ state: 'waiting', attempts: row.attempts - 1, heartbeat: null })
      .execute();
    await queue.wake(db, row.kind as JobKind, row.id);
  }

  async function wakeLostJobs(): Promise<void> {
    for (const { id, kind } of await lostJobs(db, staleBefore())) {
      if (!running.has(id)) await queue.wake(db, kind as JobKind, id, { first: true });
    }
  }

  return {
    async start(): Promise<void> {
      for (const { kind, concurrency } of definitions.values()) {
        await startWorkers(kind, { workers: concurrency });
      }
      for (const kind of QUICK_KINDS.filter((each) => definitions.has(each))) {
        const minPriority = JOB_PRIORITY.quick;
        await startWorkers(kind, { workers: QUICK_WORKERS, batchSize: QUICK_JOBS_MAX, minPriority });
      }
      const lookOnce = () => wakeLostJobs().catch((error) => log.warn({ error }, 'looking for lost jobs failed'));
      lookTimer = setInterval(() => void lookOnce(), timing.look);
      for (const { id, kind } of await cleanupPendingJobs(db))
        await queue.wake(db, kind as JobKind, id, { first: true });
      await lookOnce();
    },

    /** Returns running jobs to the queue. Resolves when all of them have ended. */
    async stop(): Promise<void> {
      stopping = true;
      if (lookTimer !== null) clearInterval(lookTimer);
      for (const { abort } of running.values()) abort.abort(new Error('The server stops'));
      await Promise.all([...running.values()].map(({ done }) => done));
      for (const kind of definitions.keys()) await boss.offWork(kind);
    },
  };
}

/**
 * Returns the sentence for the user, or null for a fault of the server, and whether another attempt would be useless
 * (`final`).
 */
function judge(error: unknown): { sentence: string | null; final: boolean } {
  const known = knownError(error);
  if (known !== null) return { sentence: known.message, final: known.status < 500 };
  if (error instanceof Error && error.name === 'FormatError') return { sentence: `${error.message}.`, final: true };
  return { sentence: null, final: false };
}
