import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { join } from 'node:path';
import { io } from 'socket.io-client';
import { describe, expect, it, vi } from 'vitest';
import { atEnd } from '../../test/cleanup.ts';
import { type RunningServer, readyDataFolder, startServer } from '../../test/running-server.ts';
import { basicOf } from '../../test/server.ts';

// Whole servers are started here, several of them one after the other.
vi.setConfig({ testTimeout: 120_000 });

const password = 'correct horse battery';
const admin = { authorization: basicOf('admin', password) };

type Answer = { status: number | undefined; headers: IncomingMessage['headers']; text: string };

/** Believes the server's own certificate and no other: a wrong name or key ends the connection. */
function callerOf({ address }: RunningServer, ca: string) {
  return (path: string, options: RequestOptions = {}, body = ''): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const asked = request(new URL(path, address), { ...options, ca }, async (answer) => {
        const parts = await answer.setEncoding('utf8').toArray();
        resolve({ status: answer.statusCode, headers: answer.headers, text: parts.join('') });
      });
      asked.once('error', reject);
      asked.end(body);
    });
}

type Call = ReturnType<typeof callerOf>;
const post = { method: 'POST', headers: { ...admin, 'content-type': 'application/json' } };

/** The address of the socket as a page opens it; it rejects where the connection is refused. */
async function connected(call: Call, { address }: RunningServer, ca: string): Promise<string> {
  const { ticket } = JSON.parse((await call('/api/tickets', post, '{}')).text) as { ticket: string };
  const socket = io(address.replace('https:', 'wss:'), {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: { ticket },
    ca,
  });
  atEnd(() => socket.disconnect());
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return (socket.io as unknown as { uri: string }).uri;
}

async function checkAll(server: RunningServer, ca: string): Promise<void> {
  const call = callerOf(server, ca);
  const credentials = JSON.stringify({ username: 'admin', password });
  const login = await call(
    '/api/login',
    { method: 'POST', headers: { 'content-type': 'application/json' } },
    credentials,
  );
  const page = await call('/');
  const health = await call('/api/health', { headers: admin });

  expect(login.status, login.text).toBe(200);
  expect(login.headers['set-cookie']).toEqual([expect.stringMatching(/; Secure(;|$)/)]);
  for (const { headers } of [login, page]) {
    expect(headers['strict-transport-security']).toMatch(/^max-age=15552000\b/);
  }
  expect(health.text).toContain('HTTPS and secure WebSocket');
  expect(await connected(call, server, ca)).toMatch(/^wss:/);
}

describe('with TLS of its own', () => {
  it('answers over https with a certificate made on the spot: cookie, HSTS and sockets are those of https', {
    tags: 'long',
  }, async () => {
    const dataDir = await readyDataFolder();
    const server = await startServer(dataDir, { OSPREY_ADMIN_PASSWORD: password, OSPREY_TLS_SELF_SIGNED: '1' });

    expect(server.address).toMatch(/^https:\/\/localhost:\d+$/);
    await checkAll(server, await readFile(join(dataDir, 'keys', 'self-signed.crt'), 'utf8'));
    // The port does not answer plain HTTP.
    await expect(fetch(server.address.replace('https:', 'http:'))).rejects.toThrow();
    expect((await server.stop()).code).toBe(0);

    const [cert, key] = ['self-signed.crt', 'self-signed.key'].map((name) => join(dataDir, 'keys', name));
    const given = { OSPREY_TLS_CERT: cert!, OSPREY_TLS_KEY: key! };
    const configured = await startServer(await readyDataFolder(), { OSPREY_ADMIN_PASSWORD: password, ...given });
    await checkAll(configured, await readFile(cert!, 'utf8'));
    expect((await configured.stop()).code).toBe(0);
  });
});
