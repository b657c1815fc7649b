import { connect } from 'node:net';
import { setTimeout as rest } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { type TestServer, testServer } from '../server.ts';

/** Each round is some two hundred hostile requests. */
const ROUNDS = Number(process.env.OSPREY_ATTACK_ROUNDS ?? 3);
/** The first ones also load code and fill caches that stay. */
const FIRST_ROUNDS = 2;
const HEAP_BYTES = 20 * 1024 * 1024;
const RSS_TIMES = 1.5;
const ADDRESSES = 8;
const MIB = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Memory in use after garbage collection. Three runs, because objects freed by one may free others at the next. */
async function measured() {
  for (let n = 0; n < 3; n += 1) {
    collect();
    await rest(50);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}

/** Open handles by kind. */
const handles = (): Record<string, number> =>
  process.getActiveResourcesInfo().reduce<Record<string, number>>((counts, kind) => {
    counts[kind] = (counts[kind] ?? 0) + 1;
    return counts;
  }, {});
const HELD = ['TCPSocketWrap', 'TCPServerWrap', 'FSReqPromise', 'FileHandle', 'PipeWrap', 'ProcessWrap'];

/** Sends bytes and takes what comes; ends after `ms`, or when the server ends it. */
function send(port: number, n: number, parts: readonly (string | Uint8Array)[], ms = 3000): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (n % ADDRESSES)}` });
  socket.on('error', () => undefined);
  socket.on('data', () => undefined);
  socket.setTimeout(ms, () => socket.destroy());
  for (const part of parts) socket.write(part);
  const late = setTimeout(() => socket.destroy(), ms);
  return new Promise((resolve) => {
    socket.once('close', () => {
      clearTimeout(late);
      resolve();
    });
  });
}

const head = (line: string, fields: Record<string, string | number>): string =>
  `${line} HTTP/1.1\r\n${Object.entries({ host: '127.0.0.1', ...fields })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

const json = { 'content-type': 'application/json' };

/** An attacker's requests: deep JSON, bodies and forms that end in the middle, upgrades, malformed heads. */
async function attack(port: number, server: TestServer): Promise<void> {
  const signedIn = server.headersOf('SA') as Record<string, string>;
  const deep = '['.repeat(MIB);
  const form = { ...signedIn, 'content-type': 'multipart/form-data; boundary=x', 'content-length': 50 * MIB };
  const part = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.ts"\r\n\r\n';
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': 13 };
  const of = (count: number, attack: (n: number) => Promise<unknown>) =>
    Array.from({ length: count }, (_, n) => attack(n));
  await Promise.all([
    ...of(16, (n) => send(port, n, [head('POST /api/login', { ...json, 'content-length': MIB }), deep])),
    ...of(40, (n) => send(port, n, [head('POST /api/login', { ...json, 'content-length': 1000 }), '{"a":'], 300)),
    ...of(40, (n) => send(port, n, [`GET /api/health HTTP/1.1\r\nhost: 127.0.0.1\r\nx-${n}: `], 300)),
    ...of(24, (n) => send(port, n, [head('POST /api/documents', form), part, Buffer.alloc(256 * 1024, n)], 500)),
    ...of(24, (n) =>
      send(
        port,
        n,
        [head('GET /socket.io/?EIO=4&transport=websocket', { ...upgrade, 'sec-websocket-key': 'x'.repeat(24) })],
        300,
      ),
    ),
    ...of(24, (n) => send(port, n, [head('GET /api/missions/brief', signedIn)], 50)),
    ...of(24, (n) => send(port, n, [head('GET /api/info', { host: `127.0.0.1:${'9'.repeat(n + 1)}` })], 300)),
    ...of(16, (n) => send(port, n, [Buffer.alloc(20_000, 0x41 + n)], 300)),
  ]);
}

it('after attacks memory is as before, and nothing stays open', async () => {
  const server = await testServer();
  const port = Number(new URL(await server.listen()).port);
  for (let n = 0; n < FIRST_ROUNDS; n += 1) await attack(port, server);
  await rest(1000);
  const before = await measured();
  const idle = handles();

  for (let n = 0; n < ROUNDS; n += 1) await attack(port, server);

  const open = () => Object.fromEntries(HELD.map((kind) => [kind, handles()[kind] ?? 0]));
  for (const kind of HELD)
    await expect.poll(() => open()[kind], { message: kind }).toBeLessThanOrEqual(idle[kind] ?? 0);
  const after = await measured();
  process.stdout.write(
    `after ${ROUNDS} rounds: heap ${((after.heap - before.heap) / MIB).toFixed(1)} MiB more, ` +
      `RSS ${(after.rss / before.rss).toFixed(2)} times\n`,
  );
  expect(after.heap - before.heap).toBeLessThan(HEAP_BYTES);
  expect(after.rss).toBeLessThan(RSS_TIMES * before.rss);
  const answer = await fetch(`http://127.0.0.1:${port}/api/info`);
  expect(answer.status).toBe(200);
});
