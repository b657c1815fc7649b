import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { staticRoutes } from './static.ts';

const folder = await mkdtemp(join(tmpdir(), 'osprey-test-static-'));
atEnd(() => rm(folder, { recursive: true, force: true }));
await writeFile(join(folder, 'index.html'), '<meta content="__CSP_NONCE__">');
await writeFile(join(folder, 'conference.html'), '<meta content="__CSP_NONCE__">');
for (const suffix of ['', '.gz', '.br']) await writeFile(join(folder, `code.js${suffix}`), `code${suffix}`);
await writeFile(join(folder, 'plain.js'), 'plain');
const app = fastify();
atEnd(() => app.close());
await staticRoutes(app, folder, { tls: true });

async function headersOf(url: string, headers: Record<string, string> = {}) {
  const answer = await app.inject({ url, headers });
  const policy = String(answer.headers['content-security-policy']);
  const directive = (name: string) => policy.split('; ').find((one) => one.startsWith(`${name} `));
  return { directive, devices: answer.headers['permissions-policy'], frames: answer.headers['x-frame-options'] };
}

const framing = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' };

it('lets no page frame the client but one of this site, where the browser says that it asks', async () => {
  const framed = await headersOf('/missions', framing);

  expect(framed.directive('frame-ancestors')).toBe("frame-ancestors 'self'");
  expect(framed.frames).toBe('SAMEORIGIN');
  expect(framed.devices).toBe('camera=(), microphone=(), display-capture=()');
  for (const headers of [
    {},
    { ...framing, 'sec-fetch-site': 'same-site' },
    { ...framing, 'sec-fetch-dest': 'document' },
  ]) {
    expect((await headersOf('/missions', headers)).directive('frame-ancestors')).toBe("frame-ancestors 'none'");
  }
});

it('forbids frames around the page of a call, which alone has camera and microphone, and lets it frame this site alone', async () => {
  const call = await headersOf('/conference', framing);

  expect(call.directive('frame-ancestors')).toBe("frame-ancestors 'none'");
  expect(call.directive('frame-src')).toBe("frame-src 'self'");
  expect(call.devices).toBe('camera=(self), microphone=(self), display-capture=(self)');
});

it('lets the page talk to the server that it came from alone, by name, also over a socket', async () => {
  const { directive } = await headersOf('/missions', { host: 'osprey.example:8443' });
  expect(directive('connect-src')).toBe("connect-src 'self' wss://osprey.example:8443");

  const plain = fastify();
  atEnd(() => plain.close());
  await staticRoutes(plain, folder, { tls: false });
  const answer = await plain.inject({ url: '/missions', headers: { host: 'localhost:8080' } });
  expect(String(answer.headers['content-security-policy'])).toContain("connect-src 'self' ws://localhost:8080;");
});

it.each([
  ['gzip, deflate, br, zstd', 'br', 'code.br'],
  ['gzip', 'gzip', 'code.gz'],
  [undefined, undefined, 'code'],
])('sends the smallest copy of a file that the browser accepts: %s', async (accepts, encoding, body) => {
  const answer = await app.inject({ url: '/code.js', headers: accepts ? { 'accept-encoding': accepts } : {} });

  expect([answer.headers['content-encoding'], answer.body]).toEqual([encoding, body]);
  expect(answer.headers.vary).toBe('accept-encoding');
  expect((await app.inject({ url: '/plain.js', headers: { 'accept-encoding': 'br' } })).body).toBe('plain');
  expect((await app.inject({ url: '/code.js.br' })).body).not.toBe('code.br');
});
