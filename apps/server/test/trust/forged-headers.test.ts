import { expect, it } from 'vitest';
import { passwordHashes } from '../../src/features/identity/password-hashes.ts';
import { basicOf, type TestServer, testServer } from '../server.ts';
import { describedCalls, otherRequests } from './asked.ts';

/** Each claims that the sender is this machine, or asks for something else than the request does. */
const forged = {
  referer: 'http://127.0.0.1/admin',
  host: '127.0.0.1',
  forwarded: 'for=127.0.0.1;host=localhost;proto=https',
  'x-forwarded-for': '127.0.0.1',
  'x-forwarded-host': 'localhost',
  'x-forwarded-proto': 'https',
  'x-real-ip': '127.0.0.1',
  'x-original-url': '/api/health',
  'x-rewrite-url': '/api/health',
  'x-http-method-override': 'GET',
};

/** Calls that end the session, which the next request needs. */
const ending = ['logout'];

/** From another machine, over plain http: what claims to be this one must not be taken for it. */
const remoteAddress = '192.0.2.7';
const password = 'correct horse battery';

async function serverWithPassword() {
  const server = await testServer();
  const password_hash = await passwordHashes({ nowMs: () => performance.now() }).hash(password);
  await server.db.updateTable('users').set({ password_hash }).where('username', '=', 'U0').execute();
  return server;
}

/** No credential, a session, and a password, which is taken over https and on this machine alone. */
const askers = {
  nobody: () => ({}),
  session: (server: TestServer) => server.headersOf('U0'),
  password: () => ({ authorization: basicOf('U0', password) }),
};

it('T-114 that claim a place or a method change no status of any route, with a session and without', async () => {
  const all = [...describedCalls(), ...otherRequests];
  // Two of a kind, asked the same in the same order: what a call changes or counts is the same on both.
  const [plain, claimed] = await Promise.all([serverWithPassword(), serverWithPassword()]);

  const differing: unknown[] = [];
  const statuses = new Set<number>();
  const plainHttp: Record<string, string[]> = { nobody: [], session: [], password: [] };
  for (const { name, asked } of all.filter((one) => !ending.includes(one.name))) {
    for (const [by, headersOf] of Object.entries(askers)) {
      const send = (server: TestServer, added: Record<string, string>) => {
        const headers = { ...asked.headers, ...headersOf(server), ...added };
        return server.inject({ ...asked, headers, remoteAddress } as Parameters<TestServer['inject']>[0]);
      };
      const [without, withThem] = await Promise.all([send(plain, {}), send(claimed, forged)]);
      statuses.add(without.statusCode);
      if (without.body.includes('"code":"plainHttp"')) plainHttp[by]?.push(name);
      if (without.statusCode !== withThem.statusCode) {
        differing.push({ name, by, without: without.statusCode, withThem: withThem.statusCode });
      }
    }
  }

  expect(differing).toEqual([]);
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404]));
  // The statuses that hang on the address were among them.
  const doors = ['login', 'offerSecondFactorAtLogin', 'usePasswordLink'];
  expect(plainHttp.nobody).toEqual(doors);
  expect(plainHttp.session).toEqual(expect.arrayContaining(doors));
  expect(plainHttp.password).toEqual(expect.arrayContaining([...doors, 'listMissions', 'createMission']));
}, 120_000);
