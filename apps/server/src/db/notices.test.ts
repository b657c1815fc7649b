import { connect, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { atEnd } from '../../test/cleanup.ts';
import { testDatabaseAt } from '../../test/database.ts';
import { listenForNotices, RIGHTS_CHANNEL } from './notices.ts';

/** Stands between listener and database; `stall` lets nothing through any more, and says nothing of it. */
async function proxyTo(url: string) {
  const target = new URL(url);
  const [farHost, farPort] = [target.hostname, Number(target.port)];
  const sockets = new Set<Socket>();
  let stalled = false;
  const server = createServer((near) => {
    const far = connect(farPort, farHost);
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
