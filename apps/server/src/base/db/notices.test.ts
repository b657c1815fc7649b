import { sql } from 'kysely';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { testDatabaseAt } from '../../../test/database.ts';
import { stallingProxy } from '../../../test/stalling-proxy.ts';
import { listenForNotices, RIGHTS_CHANNEL } from './notices.ts';

it('counts a connection that falls silent as lost, and listens again when it can', async () => {
  const { db, url } = await testDatabaseAt();
  const proxy = await stallingProxy(url);
  const said: string[] = [];
  const notices = await listenForNotices({
    url: proxy.url,
    onNotice: (_channel, payload) => said.push(payload),
    onLost: () => said.push('lost'),
    onRegained: () => said.push('regained'),
    onError: () => undefined,
  });
  atEnd(notices.close);
  const notify = (text: string) => sql`select pg_notify(${RIGHTS_CHANNEL}, ${text})`.execute(db);

  await notify('first');
  await expect.poll(() => said).toEqual(['first']);
  proxy.stall();
  await expect.poll(() => said).toEqual(['first', 'lost']);
  expect(notices.isListening()).toBe(false);
  proxy.flow();
  await expect.poll(() => said).toEqual(['first', 'lost', 'regained']);
  await notify('second');
  await expect.poll(() => said).toEqual(['first', 'lost', 'regained', 'second']);
}, 30_000);

it('holds a connection through a time in which the whole machine was paused', async () => {
  const { db, url } = await testDatabaseAt();
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  let [beats, listener] = [0, 0];
  let ours: pg.Client | null = null;
  const asked = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    if (String(args[0]).startsWith('listen ')) ours = this;
    // Other code of this process has connections of its own.
    if (this !== ours || args[0] !== 'select 1' || listener === 0) return query.apply(this, args);
    beats += 1;
    if (beats > 1) return query.apply(this, args);
    // Longer than silence is borne, and the database answers only after it.
    process.kill(listener, 'SIGSTOP');
    const answer = query.apply(this, args);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3500);
    process.kill(listener, 'SIGCONT');
    return answer;
  });
  atEnd(async () => asked.mockRestore());
  const said: string[] = [];
  const notices = await listenForNotices({
    ...{ url, onNotice: () => undefined, onError: (error) => said.push(String(error)) },
    ...{ onLost: () => said.push('lost'), onRegained: () => said.push('regained') },
  });
  atEnd(notices.close);
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and query like 'listen %'`.execute(db);
  listener = rows[0]!.pid;

  await expect.poll(() => beats).toBe(2);

  expect(said).toEqual([]);
  expect(notices.isListening()).toBe(true);
});
