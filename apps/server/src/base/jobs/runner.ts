import type { ItemNoun } from '@osprey/contract';
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Db } from '../access/visibility.ts';
import type { Items } from '../items/items.ts';
import { items as productItems } from '../items/product.ts';
import type { JobKind } from './boss.ts';
import { knownError } from './known-error.ts';
import { JOB_PRIORITY, type JobQueue, UNTIDIED } from './queue.ts';
import { itemOfJob, type JobRow } from './subject.ts';

const MAX_ATTEMPTS = 3;
/** Kinds with quick jobs among them. Their own workers take several at a time: a recording has one for each sensor. */
const QUICK_KINDS: readonly JobKind[] = ['ingest'];
const QUICK_WORKERS = 2;
const QUICK_AT_ONCE = 4;
/** Number of jobs at the head of a long queue to look at: lost jobs after them get there later. */
const LOOKED_AT_MAX = 200;

/**
 * Milliseconds. A job whose worker died is taken up again within `stale` + `look`. Workers look for messages each
 * `backstop`, since some are to come later; each `poll` while notices of new ones cannot arrive.
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

/** The subject of a job: a sensor of a mission, or a document. */
type JobSubject = {
  missionId: string | null;
  sensorId: string | null;
  fileId: string | null;
  documentId?: string | null;
};
type RecordingSubject = { missionId: string; sensorId: string; fileId: string | null };

type Work = {
  jobId: string;
  /** From 1. A job may have run before and left parts of its work: every step must bear being done again. */
  attempt: number;
  /** Ends the work: cancelled, taken over by another worker, or the server stops. Check it between steps. */
  signal: AbortSignal;
  /** 0 to 100; stored every two seconds at most. */
  progress: (percent: number) => void;
};
export type JobContext = Work & RecordingSubject;
export type DocumentJobContext = Work & { documentId: string };

type End = {
  jobId: string;
  outcome: 'failed' | 'cancelled';
  /** For the user, a whole sentence. */
  sentence: string;
};
export type JobEnd = End & RecordingSubject;
export type DocumentJobEnd = End & { documentId: string };

export type JobDefinition = {
  kind: JobKind;
  /**
   * Jobs of this kind at once in one worker, besides quick ones; those of one sensor always run one after the other.
   */
  concurrency: number;
  run: (context: Work & JobSubject) => Promise<void>;
  /** After the last try or a cancel: puts mission, sensor and files in a state that says so. May be called twice. */
  ended: (end: End & JobSubject) => Promise<void>;
};

type Steps<Context, Ending> = {
  run: (context: Context) => Promise<void>;
  ended: (end: Ending) => Promise<void>;
  concurrency?: number;
};

/**
 * States how one kind of job over a recording is done. An AppError (but 503 and 507) or a FormatError is the input's
 * fault and ends the job at once; anything else is tried three times.
 */
export function defineJob(
  kind: JobKind,
  run: (context: JobContext) => Promise<void>,
  options: { ended: (end: JobEnd) => Promise<void>; concurrency?: number },
) {
  return definition(kind, { run, ...options }, recordingOf);
}

/** The same over a document. */
export function defineDocumentJob(
  kind: JobKind,
  run: (context: DocumentJobContext) => Promise<void>,
  options: { ended: (end: DocumentJobEnd) => Promise<void>; concurrency?: number },
) {
  return definition(kind, { run, ...options }, documentOf);
}

function definition<Subject>(
  kind: JobKind,
  { run, ended, concurrency = 1 }: Steps<Work & Subject, End & Subject>,
  narrow: <Rest>(job: Rest & JobSubject) => Rest & Subject,
) {
  return {
    kind,
    concurrency,
    run: (context: Work & JobSubject) => run(narrow(context)),
    ended: (end: End & JobSubject) => ended(narrow(end)),
  } satisfies JobDefinition;
}

function recordingOf<Rest>(job: Rest & JobSubject): Rest & RecordingSubject {
  const { missionId, sensorId } = job;
  if (missionId === null || sensorId === null) throw new Error('A job of a recording without a sensor');
  return { ...job, missionId, sensorId };
}

function documentOf<Rest>(job: Rest & JobSubject): Rest & { documentId: string } {
  const { documentId } = job;
  if (!documentId) throw new Error('A job of a document without one');
  return { ...job, documentId };
}

type Taking = { workers: number; batchSize?: number; minPriority?: number };
type Running = { abort: AbortController; progress: number; done: Promise<void> };

export type JobRunnerDeps = {
  db: Db;
  boss: PgBoss;
  queue: JobQueue;
  definitions: readonly JobDefinition[];
  /** After a job began or ended: what it works on looks different now. */
  changed: (noun: ItemNoun, ids: string[]) => void;
  items?: Pick<Items, 'kinds'>;
  log: { warn: (fields: object, text: string) => void; error: (fields: object, text: string) => void };
  nowUs: () => number;
  timing?: JobTiming;
};

/** Works the queues of one worker process. */
export function jobRunner(deps: JobRunnerDeps) {
  const { db, boss, queue, nowUs, log, items = productItems, timing = jobTiming } = deps;
  const definitions = new Map(deps.definitions.map((definition) => [definition.kind, definition]));
  const running = new Map<string, Running>();
  let looker: NodeJS.Timeout | null = null;
  let stopping = false;

  const staleBefore = () => nowUs() - timing.stale * 1000;

  async function take(kind: JobKind, { workers, ...options }: Taking): Promise<void> {
    const polling = {
      pollingIntervalSeconds: timing.poll / 1000,
      notifyPollingIntervalSeconds: timing.backstop / 1000,
    };
    for (let n = 0; n < workers; n += 1) {
      let id = '';
      id = await boss.work<{ id: string }>(kind, { ...polling, ...options }, async (messages) => {
        await Promise.all(messages.map(({ data }) => handle(kind, data.id)));
        // Others may wait for this message to end: the worker would rest first.
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
    tell(row);
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
      .then(() => finish(row))
      .catch((error) => fall(definition, row, abort.signal, error))
      // Left as it is: without a heartbeat it is taken up again.
      .catch((error) => log.error({ jobId: row.id, kind: row.kind, error }, 'a job could not be ended'))
      .finally(() => {
        clearInterval(ticker);
        running.delete(row.id);
      });
    await entry.done;
    tell(row);
    await wakeSiblings(row);
  }

  function tell(row: JobRow): void {
    const item = itemOfJob(items.kinds, row);
    if (item) deps.changed(item.kind.noun as ItemNoun, [item.id]);
  }

  /** Heartbeat and progress. No row means that it was cancelled, deleted, or another worker has it. */
  async function tick(row: JobRow, entry: Running): Promise<void> {
    try {
      const mine = await ownRow(db, row).set({ heartbeat: nowUs(), progress: entry.progress }).executeTakeFirst();
      if (mine.numUpdatedRows === 0n) entry.abort.abort(new Error('Not this worker’s job any more'));
    } catch (error) {
      log.warn({ jobId: row.id, error }, 'job heartbeat failed');
    }
  }

  /**
   * Marks a job as done, and with it earlier failed jobs of the same order, so that nobody is offered to try them
   * again.
   */
  async function finish(row: JobRow): Promise<void> {
    const done = { state: 'done', progress: 100, heartbeat: nowUs(), error: null };
    const mine = await ownRow(db, row).set(done).executeTakeFirst();
    if (mine.numUpdatedRows === 0n) return;
    await db
      .updateTable('jobs')
      .set(done)
      .where(sameSubject(row))
      .where('kind', '=', row.kind)
      .where('file_id', 'is not distinct from', row.file_id)
      .where('state', '=', 'failed')
      .execute();
  }

  async function fall(definition: JobDefinition, row: JobRow, signal: AbortSignal, error: unknown): Promise<void> {
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
    await db
      .updateTable('jobs')
      .set({ heartbeat: null })
      .where('id', '=', row.id)
      .where('state', '=', 'cancelled')
      .execute();
  }

  /** The server stops: this try does not count. */
  async function park(row: JobRow): Promise<void> {
    await ownRow(db, row)
      .set({ state: 'waiting', attempts: row.attempts - 1, heartbeat: null })
      .execute();
    await queue.wake(db, row.kind as JobKind, row.id);
  }

  /** Jobs that were passed over because this one had their sensor. */
  async function wakeSiblings(row: JobRow): Promise<void> {
    const waiting = await db
      .selectFrom('jobs')
      .select('id')
      .where(sameSubject(row))
      .where('kind', '=', row.kind)
      .where('state', '=', 'waiting')
      .where('attempts', '=', 0)
      .execute();
    for (const { id } of waiting) await queue.wake(db, row.kind as JobKind, id);
  }

  /** Finds jobs without a live worker: it died, or its message was lost. */
  async function look(): Promise<void> {
    const lost = await db
      .selectFrom('jobs')
      .select(['id', 'kind'])
      .where((eb) =>
        eb.or([
          eb('state', '=', 'waiting').and('created', '<', staleBefore()),
          eb('state', '=', 'running').and('heartbeat', '<', staleBefore()),
        ]),
      )
      // Running ones are the first by this.
      .orderBy('state')
      .orderBy('priority', 'desc')
      .orderBy('created')
      .limit(LOOKED_AT_MAX)
      .execute();
    // Started jobs come before a long queue: users have seen them run.
    for (const { id, kind } of lost) if (!running.has(id)) await queue.wake(db, kind as JobKind, id, { first: true });
  }

  /** Finds what was cancelled while its worker died or stopped. */
  async function lookForCancelled(): Promise<void> {
    const cancelled = await db
      .selectFrom('jobs')
      .select(['id', 'kind'])
      .where('state', '=', 'cancelled')
      .where('heartbeat', '=', UNTIDIED)
      .execute();
    for (const { id, kind } of cancelled) await queue.wake(db, kind as JobKind, id, { first: true });
  }

  return {
    async start(): Promise<void> {
      for (const { kind, concurrency } of definitions.values()) {
        await take(kind, { workers: concurrency });
      }
      for (const kind of QUICK_KINDS.filter((each) => definitions.has(each))) {
        const minPriority = JOB_PRIORITY.quick;
        await take(kind, { workers: QUICK_WORKERS, batchSize: QUICK_AT_ONCE, minPriority });
      }
      const lookOnce = () => look().catch((error) => log.warn({ error }, 'looking for lost jobs failed'));
      looker = setInterval(() => void lookOnce(), timing.look);
      await lookForCancelled();
      await lookOnce();
    },

    /** Parks what runs. Answers when every job let go. */
    async stop(): Promise<void> {
      stopping = true;
      if (looker !== null) clearInterval(looker);
      for (const { abort } of running.values()) abort.abort(new Error('The server stops'));
      await Promise.all([...running.values()].map(({ done }) => done));
      for (const kind of definitions.keys()) await boss.offWork(kind);
    },
  };
}

const readJob = (db: Db, id: string) => db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();

/** Changes the row only if no later try has replaced this one. */
const ownRow = (db: Db, row: JobRow) =>
  db.updateTable('jobs').where('id', '=', row.id).where('state', '=', 'running').where('attempts', '=', row.attempts);

/** Claims a job for this worker; null when it is done, or a live worker has it or its sensor. */
async function claim(db: Db, row: JobRow, now: number, stale: number): Promise<JobRow | null> {
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

/** Jobs over the same sensor, or the same document. */
const sameSubject = ({ sensor_id, document_id }: JobRow, table = 'jobs') =>
  sql<boolean>`(${sql.table(table)}.sensor_id, ${sql.table(table)}.document_id)
    is not distinct from (${sensor_id}::uuid, ${document_id}::uuid)`;

const orderOf = (row: JobRow) => ({
  jobId: row.id,
  missionId: row.mission_id,
  sensorId: row.sensor_id,
  fileId: row.file_id,
  documentId: row.document_id,
});

const endOf = (row: JobRow, outcome: End['outcome'], sentence: string): End & JobSubject => ({
  ...orderOf(row),
  outcome,
  sentence,
});

/** The sentence for the user, null when it is a fault of ours; and whether another try could help. */
function judge(error: unknown): { sentence: string | null; final: boolean } {
  const known = knownError(error);
  if (known !== null) return { sentence: known.message, final: known.status < 500 };
  if (error instanceof Error && error.name === 'FormatError') return { sentence: `${error.message}.`, final: true };
  return { sentence: null, final: false };
}
