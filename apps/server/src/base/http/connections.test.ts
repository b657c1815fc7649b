import { connect, type Socket } from 'node:net';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { connectionsCheck } from '../../features/system/connections-check.ts';
import { createApp, hostsOf } from './app.ts';
import { type ConnectionLimit, connectionLimit } from './connection-limit.ts';
import { endIdleBodies } from './idle-bodies.ts';

async function listening(connections?: ConnectionLimit) {
  const hosts = hostsOf('127.0.0.1', []);
  const app = await createApp({
    log: pino({ level: 'silent' }),
    tls: null,
    trustedProxies: [],
    hosts,
    ...(connections && { connections }),
  });
  app.addContentTypeParser(
    'application/octet-stream',
    (_request: unknown, payload: unknown, done: (error: null, body: unknown) => void) => done(null, payload),
  );
  const route = { url: '/api/x', config: { policy: 'public.use' } } as const;
  app.route({ ...route, method: 'GET', handler: async () => 'ok' });
  const stuck = { ...route, url: '/api/stuck', method: 'GET' } as const;
  app.route({ ...stuck, handler: () => new Promise(() => undefined) });
  app.route({
    ...route,
    method: 'POST',
    async handler({ body }) {
      let size = 0;
      for await (const bytes of body as AsyncIterable<Buffer>) size += bytes.length;
      return String(size);
    },
  });
  atEnd(() => app.close());
  return {
    app,
    async open(): Promise<number> {
      await app.listen({ host: '127.0.0.1', port: 0 });
      return (app.server.address() as { port: number }).port;
    },
  };
}

function call(port: number, text: string, localAddress = '127.0.0.1') {
  const socket: Socket = connect({ port, host: '127.0.0.1', localAddress });
  let answer = '';
  socket.on('data', (bytes) => {
    answer += bytes.toString();
  });
  socket.on('error', () => undefined);
  atEnd(() => void socket.destroy());
  if (text !== '') socket.write(text);
  return { socket, answer: () => answer, closed: new Promise((done) => socket.once('close', done)) };
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${more}\r\n`;

describe('connections of one address', () => {
  it('beyond the limit are closed at once and counted; others are served, and a place is free again', async () => {
    const limit = connectionLimit({ most: 2, trusted: [] });
    const port = await (await listening(limit)).open();
    const [first, second] = [call(port, get('/api/x')), call(port, get('/api/x'))];
    await expect.poll(first.answer).toContain('ok');
    await expect.poll(second.answer).toContain('ok');

    const third = call(port, get('/api/x'));
    await third.closed;
    expect(third.answer()).toBe('');
    const other = call(port, get('/api/x'), '127.0.0.2');
    await expect.poll(other.answer).toContain('ok');
    expect(limit.refused()).toBe(1);
    expect(await connectionsCheck(limit)()).toMatchObject({ state: 'warning', text: expect.stringMatching(/^1 conn/) });

    first.socket.destroy();
    await first.closed;
    await expect
      .poll(async () => {
        const again = call(port, get('/api/x', 'connection: close\r\n'));
        await again.closed;
        return again.answer();
      })
      .toContain('ok');
  });

  it('count by the forwarded address for a trusted proxy, and by the own one for another', async () => {
    const limit = connectionLimit({ most: 2, trusted: ['127.0.0.9', '10.0.0.0/8'] });
    const port = await (await listening(limit)).open();
    const from = (client: string) => `x-forwarded-for: 192.0.2.1, ${client}, 10.0.0.7\r\n`;
    const proxied = (path: string, client: string) => call(port, get(path, from(client)), '127.0.0.9');

    const [one, two] = [proxied('/api/stuck', '192.0.2.7'), proxied('/api/stuck', '192.0.2.7')];
    await expect
      .poll(async () => {
        const third = proxied('/api/x', '192.0.2.7');
        await expect.poll(third.answer).toContain('HTTP/1.1');
        return third.answer();
      })
      .toContain('429 Too Many Requests');
    const other = proxied('/api/x', '192.0.2.8');
    await expect.poll(other.answer).toContain('ok');
    one.socket.destroy();
    two.socket.destroy();
    await expect
      .poll(async () => {
        const again = proxied('/api/x', '192.0.2.7');
        await expect.poll(again.answer).toContain('HTTP/1.1');
        return again.answer();
      })
      .toContain('200 OK');

    // Without a trusted proxy its header is ignored: all three calls count for one address.
    const strangers = [1, 2, 3].map((n) => call(port, get('/api/x', from(`192.0.2.${n}`))));
    await expect.poll(() => strangers.filter(({ answer }) => answer().includes('ok')).length).toBe(2);
  });
});

describe('a body that is no JSON', () => {
  it('is ended when nothing comes of it any more, and not while bytes come or the handler takes its time', async () => {
    const { app, open } = await listening();
    endIdleBodies(app, { idleMs: 200, lookMs: 20 });
    const port = await open();
    const head = (length: number) =>
      `POST /api/x HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/octet-stream\r\ncontent-length: ${length}\r\n\r\n`;
    const begun = performance.now();
    const silent = call(port, `${head(100)}abc`);
    const slow = call(port, head(12));
    const writing = setInterval(() => slow.socket.write('x'), 50);
    atEnd(() => clearInterval(writing));

    await silent.closed;
    expect(performance.now() - begun).toBeGreaterThan(180);
    await expect.poll(slow.answer).toContain('\r\n\r\n12');
    expect(performance.now() - begun).toBeGreaterThan(500);
  });
});
