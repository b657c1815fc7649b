import { connect, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { testDatabaseAt } from '../../../test/database.ts';
import { listenForNotices, RIGHTS_CHANNEL } from './notices.ts';
import { socketOf } from './postgres-server.ts';

/** Stands between listener and database; `stall` lets nothing through any more, and says nothing of it. */
async function proxyTo(url: string) {
  const target = new URL(url);
  const [host, port] = [decodeURIComponent(target.hostname), Number(target.port)];
  const reachFar = () => (host.startsWith('/') ? connect(socketOf({ host, port })) : connect(port, host));
  const sockets = new Set<Socket>();
  let stalled = false;
  const server = createServer((near) => {
    const far = reachFar();
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => void (stalled || to.write(bytes)));
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  target.hostname = '127.0.0.1';
  target.port = String((server.address() as { port: number }).port);
  return {
    url: target.href,
    stall: () => {
      stalled = true;
    },
    flow: () => {
      stalled = false;
    },
  };
}

it('counts a connection that falls silent as lost, and listens again when it can', async () => {
  const { db, url } = await testDatabaseAt();
  const proxy = await proxyTo(url);
  const said: string[] = [];
  const notices = await listenForNotices({
    url: proxy.url,
    onNotice: (_channel, payload) => said.push(payload),
    onLost: () => said.push('lost'),
    onRegained: () => said.push('regained'),
    onError: () => undefined,
  });
  atEnd(notices.close);
  const tell = (text: string) => sql`select pg_notify(${RIGHTS_CHANNEL}, ${text})`.execute(db);

  await tell('first');
  await expect.poll(() => said).toEqual(['first']);
  proxy.stall();
  await expect.poll(() => said).toEqual(['first', 'lost']);
  expect(notices.isListening()).toBe(false);
  proxy.flow();
  await expect.poll(() => said).toEqual(['first', 'lost', 'regained']);
  await tell('second');
  await expect.poll(() => said).toEqual(['first', 'lost', 'regained', 'second']);
}, 30_000);

it('holds a connection through a time in which the whole machine stood still', async () => {
  const { db, url } = await testDatabaseAt();
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  let [beats, listener] = [0, 0];
  let ours: pg.Client | null = null;
  const asked = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    if (String(args[0]).startsWith('listen ')) ours = this;
    // Whatever else runs in this process has connections of its own.
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
