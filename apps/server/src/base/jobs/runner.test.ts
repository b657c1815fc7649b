import { AppError } from '@osprey/contract';
import type { Kysely } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { testDatabaseAt } from '../../../test/database.ts';
import { addMission, addSensor } from '../../../test/missions.ts';
import { items } from '../../compose/items.ts';
import type { Database } from '../db/schema.ts';
import { startBoss } from './boss.ts';
import { defineJob, type JobContext, type JobEnd } from './definition.ts';
import { jobQueue } from './queue.ts';
import { type JobRunnerDeps, type JobTiming, jobRunner } from './runner.ts';

/** A worker that a busy machine holds up for seconds is not dead. */
const timing: JobTiming = { tick: 20, stale: 10_000, look: 50, poll: 500, backstop: 500, retry: [0, 0] };
const LONG_AGO_US = 60_000_000;
const nowUs = () => Date.now() * 1000;

let db: Kysely<Database>;
let boss: PgBoss;
let queue: ReturnType<typeof jobQueue>;
let order: { missionId: string; sensorId: string };
const stops: (() => Promise<void>)[] = [];
const changed = vi.fn();
const ended = vi.fn(async (_end: JobEnd) => {});
const log = { warn: vi.fn(), error: vi.fn() };

beforeAll(async () => {
  const made = await testDatabaseAt();
  db = made.db;
  boss = await startBoss({ db, worksAt: made.url, onError: () => {} });
});
afterAll(() => boss.stop({ graceful: false }));

beforeEach(async () => {
  queue = jobQueue({ boss, nowUs });
  const missionId = await addMission(db);
  order = { missionId, sensorId: await addSensor(db, missionId) };
  for (const spy of [changed, ended, log.warn, log.error]) spy.mockClear();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await db.deleteFrom('missions').execute();
});

type RunnerOptions = Partial<Pick<JobRunnerDeps, 'nowUs' | 'timing'>> & { concurrency?: number };

async function startRunner(
  run: (context: JobContext) => Promise<void>,
  { concurrency = 1, ...deps }: RunnerOptions = {},
) {
  const definitions = [defineJob('ingest', run, { ended, concurrency })];
  const runner = jobRunner({ db, items, boss, queue, definitions, changed, log, nowUs, timing, ...deps });
  await runner.start();
  stops.push(runner.stop);
  return runner;
}

const rowOf = (id: string) => db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const untilState = (id: string, state: string) =>
  vi.waitFor(async () => expect((await rowOf(id)).state).toBe(state), { interval: 20 });

/** A job that runs until it is aborted. */
const untilAborted = ({ signal }: JobContext) =>
  new Promise<void>((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)));

describe('a job', () => {
  it('runs once, with its order, and is done', async () => {
    const run = vi.fn(async ({ progress }: JobContext) => progress(50));
    await startRunner(run);

    const id = await queue.enqueue(db, 'ingest', order);
    await untilState(id, 'done');

    expect(run).toHaveBeenCalledTimes(1);
    expect(run.mock.calls[0]![0]).toMatchObject({ jobId: id, ...order, fileId: null, attempt: 1 });
    expect(await rowOf(id)).toMatchObject({ progress: 100, attempts: 1, error: null });
    expect(changed).toHaveBeenCalledWith('missions', [order.missionId]);
    expect(ended).not.toHaveBeenCalled();
  });

  it('begins when it is ordered, without being looked for', async () => {
    const never = 3_600_000;
    await startRunner(async () => {}, { timing: { ...timing, look: never, poll: never, backstop: never } });
    // The first may be met by the look at the start.
    await untilState(await queue.enqueue(db, 'ingest', order), 'done');

    const orders: (typeof order)[] = [];
    for (let n = 0; n < 3; n += 1) {
      const missionId = await addMission(db);
      orders.push({ missionId, sensorId: await addSensor(db, missionId) });
    }
    const waiting = await db.transaction().execute(async (tx) => {
      const ids: string[] = [];
      for (const each of orders) ids.push(await queue.enqueue(tx, 'ingest', each));
      return ids;
    });
    for (const id of waiting) await untilState(id, 'done');
  });

  it('does not exist when the transaction of its cause fails', async () => {
    const failing = db.transaction().execute(async (tx) => {
      await queue.enqueue(tx, 'ingest', order);
      throw new Error('the cause failed');
    });

    await expect(failing).rejects.toThrow('the cause failed');
    expect(await db.selectFrom('jobs').selectAll().execute()).toEqual([]);
  });

  it('is not ordered twice while it waits', async () => {
    const first = await queue.enqueue(db, 'ingest', order);
    const second = await queue.enqueue(db, 'ingest', order);
    const other = await queue.enqueue(db, 'transcode', order);

    expect(second).toBe(first);
    expect(other).not.toBe(first);
  });

  it('is tried three times, then fails visibly without telling what broke inside', async () => {
    const run = vi.fn(async () => {
      throw new Error('secret path /var/lib');
    });
    await startRunner(run);

    const id = await queue.enqueue(db, 'ingest', order);
    await untilState(id, 'failed');

    expect(run).toHaveBeenCalledTimes(3);
    expect(await rowOf(id)).toMatchObject({ attempts: 3, error: 'The server failed at this step.' });
    expect(ended).toHaveBeenCalledTimes(1);
    expect(ended.mock.calls[0]![0]).toMatchObject({ outcome: 'failed', ...order });
    expect(log.error).toHaveBeenCalledTimes(3);
  });

  it('is not tried again when its input is at fault', async () => {
    const run = vi.fn(async () => {
      throw new AppError('badArchive', { reason: 'it is cut off' });
    });
    await startRunner(run);

    const id = await queue.enqueue(db, 'ingest', order);
    await untilState(id, 'failed');

    expect(run).toHaveBeenCalledTimes(1);
    expect((await rowOf(id)).error).toBe('The archive was refused: it is cut off.');
  });

  it('runs again from the beginning when retried', async () => {
    const run = vi.fn(async () => {});
    run.mockRejectedValueOnce(new AppError('badFile', { reason: 'x' }));
    await startRunner(run);
    const id = await queue.enqueue(db, 'ingest', order);
    await untilState(id, 'failed');

    expect(await queue.retry(db, id)).toBe(true);

    await untilState(id, 'done');
    expect(await queue.retry(db, id)).toBe(false);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('stops when it is cancelled, and its kind tidies up', async () => {
    await startRunner(untilAborted);
    const id = await queue.enqueue(db, 'ingest', order);
    await untilState(id, 'running');

    expect(await queue.cancel(db, id)).toBe(true);

    await vi.waitFor(() => expect(ended).toHaveBeenCalled());
    expect(ended.mock.calls[0]![0]).toMatchObject({ outcome: 'cancelled', jobId: id });
    expect((await rowOf(id)).state).toBe('cancelled');
  });

  it('is tidied up also when its worker died after the cancel', async () => {
    const id = await queue.enqueue(db, 'ingest', order);
    await queue.cancel(db, id);
    // As the dead one took the message along.
    await boss.deleteQueuedJobs('ingest');

    await startRunner(untilAborted);

    await vi.waitFor(async () => expect((await rowOf(id)).heartbeat).toBeNull());
    expect(ended.mock.calls[0]![0]).toMatchObject({ outcome: 'cancelled', jobId: id });
  });

  it('says so when the disk is full, and is tried three times', async () => {
    const run = vi.fn(async () => {
      throw Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' });
    });
    await startRunner(run);

    const id = await queue.enqueue(db, 'ingest', order);
    await untilState(id, 'failed');

    expect(run).toHaveBeenCalledTimes(3);
    expect((await rowOf(id)).error).toBe('There is not enough free disk space on the server.');
  });

  it('that failed is not left to try again when a later one did the same', async () => {
    const run = vi.fn(async () => {});
    run.mockRejectedValueOnce(new AppError('badFile', { reason: 'x' }));
    await startRunner(run);
    const failed = await queue.enqueue(db, 'ingest', order);
    await untilState(failed, 'failed');

    await untilState(await queue.enqueue(db, 'ingest', order), 'done');

    await untilState(failed, 'done');
    expect((await rowOf(failed)).error).toBeNull();
  });

  it('waits while another one of its sensor runs, not for those of other sensors', async () => {
    const release: (() => void)[] = [];
    const run = vi.fn(() => new Promise<void>((done) => release.push(done)));
    await startRunner(run, { concurrency: 3 });
    const otherSensor = await addSensor(db, order.missionId, { name: 'IR' });

    const first = await queue.enqueue(db, 'ingest', order);
    await untilState(first, 'running');
    const second = await queue.enqueue(db, 'ingest', order);
    const third = await queue.enqueue(db, 'ingest', { ...order, sensorId: otherSensor });
    await untilState(third, 'running');

    expect(second).not.toBe(first);
    expect((await rowOf(second)).state).toBe('waiting');
    release[0]!();
    await vi.waitFor(() => expect(release).toHaveLength(3));
    for (const end of release) end();
    await untilState(second, 'done');
  });

  it('T-100 is taken up again after its worker died, and finished once', async () => {
    const dead = { state: 'running', attempts: 1, heartbeat: nowUs() - LONG_AGO_US, kind: 'ingest', error: null };
    const row = { ...dead, mission_id: order.missionId, sensor_id: order.sensorId, file_id: null, created: nowUs() };
    const { id } = await db.insertInto('jobs').values(row).returning('id').executeTakeFirstOrThrow();
    const run = vi.fn(async () => {});

    await startRunner(run);
    await untilState(id, 'done');

    expect(run).toHaveBeenCalledTimes(1);
    expect((await rowOf(id)).attempts).toBe(2);
  });

  it('whose worker died is looked at before those that wait', async () => {
    // Messages of jobs that ended in other ways may still be there.
    await boss.deleteQueuedJobs('ingest');
    const waiting = await queue.enqueue(db, 'ingest', order);
    const lost = crypto.randomUUID();

    await queue.wake(db, 'ingest', lost, { first: true });

    const taken: string[] = [];
    for (let messages = 0; messages < 2; messages += 1) {
      const [message] = await boss.fetch<{ id: string }>('ingest');
      taken.push(message!.data.id);
      await boss.complete('ingest', message!.id);
    }
    expect(taken).toEqual([lost, waiting]);
  });

  it('that is quick waits for no long one, also when its message was lost', async () => {
    const gate = Promise.withResolvers<void>();
    await startRunner(({ sensorId }) => (sensorId === order.sensorId ? gate.promise : Promise.resolve()));
    const long = await queue.enqueue(db, 'ingest', order);
    await untilState(long, 'running');
    const others = await Promise.all(['IR', 'SWIR'].map((name) => addSensor(db, order.missionId, { name })));
    const [reported, lost] = others.map((sensorId) => ({ ...order, sensorId }));

    const quick = await queue.enqueue(db, 'ingest', reported!, 'quick');
    const row = { kind: 'ingest', error: null, heartbeat: null, created: nowUs() - LONG_AGO_US, priority: 2 };
    const { id } = await db
      .insertInto('jobs')
      .values({ ...row, mission_id: lost!.missionId, sensor_id: lost!.sensorId, file_id: null })
      .returning('id')
      .executeTakeFirstOrThrow();

    await untilState(quick, 'done');
    await untilState(id, 'done');
    expect((await rowOf(long)).state).toBe('running');
    gate.resolve();
    await untilState(long, 'done');
  });

  it('with priority last starts after one of its sensor that was ordered later, and delays it by nothing', async () => {
    await boss.deleteQueuedJobs('ingest');
    const begun: string[] = [];
    const last = await queue.enqueue(db, 'ingest', order, 'last');
    const again = await queue.enqueue(db, 'ingest', order, 'last');
    const usual = await queue.enqueue(db, 'ingest', order);

    await startRunner(async ({ jobId }) => void begun.push(jobId));
    await untilState(last, 'done');

    expect(again).toBe(last);
    expect(begun).toEqual([usual, last]);
  });

  it('gives up a job whose worker died three times', async () => {
    const dead = { state: 'running', attempts: 3, heartbeat: nowUs() - LONG_AGO_US, kind: 'ingest', error: null };
    const row = { ...dead, mission_id: order.missionId, sensor_id: order.sensorId, file_id: null, created: nowUs() };
    const { id } = await db.insertInto('jobs').values(row).returning('id').executeTakeFirstOrThrow();
    const run = vi.fn(async () => {});

    await startRunner(run);
    await untilState(id, 'failed');

    expect(run).not.toHaveBeenCalled();
    expect(ended.mock.calls[0]![0].sentence).toBe('The server stopped during each try.');
  });

  it('is taken up when its message was lost', async () => {
    const lost = { kind: 'ingest', error: null, heartbeat: null, created: nowUs() - LONG_AGO_US };
    const row = { ...lost, mission_id: order.missionId, sensor_id: order.sensorId, file_id: null };
    const { id } = await db.insertInto('jobs').values(row).returning('id').executeTakeFirstOrThrow();

    await startRunner(async () => {});

    await untilState(id, 'done');
  });

  it('is parked when the server stops, and that try does not count', async () => {
    const runner = await startRunner(untilAborted);
    const id = await queue.enqueue(db, 'ingest', order);
    await untilState(id, 'running');

    await runner.stop();

    expect(await rowOf(id)).toMatchObject({ state: 'waiting', attempts: 0, error: null });
    expect(ended).not.toHaveBeenCalled();
  });

  it('is parked also where the server stops in the moment in which it is taken', async () => {
    const run = vi.fn(untilAborted);
    let stopped: Promise<void> | null = null;
    let isStarted = false;
    // The clock is asked for the heartbeat of a job that is being taken.
    const stopping = () => {
      if (isStarted) stopped ??= runner.stop();
      return nowUs();
    };
    const runner = await startRunner(run, { nowUs: stopping, timing: { ...timing, look: 60_000 } });
    isStarted = true;

    const id = await queue.enqueue(db, 'ingest', order);
    await vi.waitFor(() => expect(stopped).not.toBeNull());
    await stopped;

    expect(run).not.toHaveBeenCalled();
    expect(await rowOf(id)).toMatchObject({ state: 'waiting', attempts: 0, error: null });
  });

  it('ends without a word when its mission is deleted meanwhile', async () => {
    await startRunner(untilAborted);
    const id = await queue.enqueue(db, 'ingest', order);
    await untilState(id, 'running');
    changed.mockClear();

    await db.deleteFrom('missions').where('id', '=', order.missionId).execute();

    await vi.waitFor(() => expect(changed).toHaveBeenCalled());
    expect(ended).not.toHaveBeenCalled();
    expect(log.error).not.toHaveBeenCalled();
  });

  it('keeps its progress and its heartbeat in its row while it runs', async () => {
    let release = () => {};
    await startRunner(async ({ progress }) => {
      progress(42);
      await new Promise<void>((done) => {
        release = done;
      });
    });
    const id = await queue.enqueue(db, 'ingest', order);
    await vi.waitFor(async () => expect((await rowOf(id)).progress).toBe(42));
    const before = (await rowOf(id)).heartbeat!;

    await vi.waitFor(async () => expect((await rowOf(id)).heartbeat!).toBeGreaterThan(before));
    release();
    await untilState(id, 'done');
  });
});
