import { generateKeyPairSync } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Actor, LicenceInfo, Role } from '@osprey/contract';
import sharp from 'sharp';
import { io, type Socket } from 'socket.io-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { licenceForm, licenceKey, tokenOf } from '../../../test/licences.ts';
import { addMission } from '../../../test/missions.ts';
import { basicOf, makeUser, type Subject, type TestServer, testServer } from '../../../test/server.ts';
import { credentialRepository } from '../identity/credentials.ts';
import { passwordHashes } from '../identity/password-hashes.ts';
import { licenceKeeper } from './keeper.ts';
import { readLicence } from './licence.ts';
import { seats } from './seats.ts';

let server: TestServer;
let key: Awaited<ReturnType<typeof licenceKey>>;
const open: Socket[] = [];

let laterUs = 0;
beforeEach(async () => {
  laterUs = 0;
  server = await testServer({
    clock: { nowMs: () => performance.now() + laterUs / 1000, nowUs: () => Date.now() * 1000 + laterUs },
  });
  key = await licenceKey(server.dataDir);
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
});

const get = async <T>(path: string, by: Subject = 'SA') =>
  (await server.asUser(by).inject({ method: 'GET', url: `/api/${path}` })).json() as T;
const upload = async (token: string, by: Subject = 'SA') =>
  (await server.asUser(by).inject({ method: 'POST', url: '/api/upload/license', ...licenceForm(token) })).json() as {
    valid: boolean;
    message: string;
  };
const demoMode = async () => (await get<{ demoMode: boolean }>('info')).demoMode;

describe('the licence that comes with the product', () => {
  it('is valid, has no limits and says OK, to everybody', async () => {
    expect(await get('licenseInfo', 'guest')).toEqual({ valid: true, message: 'OK', company: null });
    const { details } = await get<LicenceInfo>('licenseInfo');
    expect(details).toMatchObject({ state: 'open', expires: null, users: { limit: null }, platforms: { limit: null } });
    expect(details?.options).toEqual([
      { option: 'export', on: true },
      { option: 'live', on: true },
    ]);
    expect(await get('licenseFile')).toMatchObject({ token: '', file: expect.stringContaining('"license": "open"') });
    expect(await demoMode()).toBe(false);
  });

  it('names this installation by random numbers, which stay', async () => {
    const { nodeInfo } = await get<{ nodeInfo: string }>('info');

    expect(nodeInfo).toMatch(/^([0-9A-F]{4}-){3}[0-9A-F]{4}$/);
    expect((await get<LicenceInfo>('licenseInfo')).details?.node).toBe(nodeInfo);
  });
});

describe('an upload', () => {
  it('of a good licence takes effect at once: company, limits, options, logo', async () => {
    const picture = { width: 400, height: 400, channels: 3 as const, background: '#004dcf' };
    const logo = (await sharp({ create: picture }).jpeg().toBuffer()).toString('base64');
    const expires = Date.now() * 1000 + 1e12;

    const answer = await upload(
      tokenOf(key.privateKey, { users: 25, platforms: 4, options: ['live', 'ais'], logo, expires }),
    );

    expect(answer).toEqual({ valid: true, message: 'OK' });
    const { company, details } = await get<LicenceInfo>('licenseInfo');
    expect(company).toBe('Coastal Authority');
    expect(details).toMatchObject({ state: 'licensed', expires, users: { limit: 25 }, platforms: { limit: 4 } });
    expect(details?.options.filter(({ on }) => on).map(({ option }) => option)).toEqual(['live']);
    const info = (await server.inject({ method: 'GET', url: '/api/info' })).json() as { company: string; logo: string };
    expect(info.company).toBe('Coastal Authority');
    const shown = await server.inject({ method: 'GET', url: info.logo });
    expect(shown.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' });
    expect(await sharp(shown.rawPayload).metadata()).toMatchObject({ format: 'png', width: 96, height: 96 });
    expect((await server.inject({ method: 'GET', url: '/api/licenseLogo/0123456789abcdef' })).statusCode).toBe(404);
  });

  it('that does not verify, is past, or names another node answers valid false and changes nothing', async () => {
    await upload(tokenOf(key.privateKey, { customer: 'First' }));
    const node = (await get<LicenceInfo>('licenseInfo')).details?.node;
    const stranger = generateKeyPairSync('ed25519').privateKey;
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>').toString('base64');
    const bad = [
      tokenOf(stranger),
      `${tokenOf(key.privateKey)}x`,
      tokenOf(key.privateKey, { expires: 1 }),
      tokenOf(key.privateKey, { node: 'AAAA-BBBB-CCCC-DDDD' }),
      tokenOf(key.privateKey, { logo: svg }),
      'nonsense',
      '',
    ];

    for (const token of bad) expect((await upload(token)).valid).toBe(false);

    expect((await get<LicenceInfo>('licenseInfo')).company).toBe('First');
    expect(await upload(tokenOf(key.privateKey, { node: node ?? '' }))).toMatchObject({ valid: true });
    const rows = await server.db.selectFrom('audit').select('result').where('action', '=', 'license.upload').execute();
    expect(rows.map(({ result }) => result).sort()).toEqual([...bad.map(() => 'invalid'), 'valid', 'valid']);
  });

  it('needs the field license, a form, and no more than half a mebibyte', async () => {
    const send = (form: object) => server.asUser('SA').inject({ method: 'POST', url: '/api/upload/license', ...form });

    expect((await send(licenceForm(tokenOf(key.privateKey), 'other'))).statusCode).toBe(400);
    expect((await send({ payload: { license: 'x' } })).statusCode).toBe(415);
    expect((await send(licenceForm('x'.repeat(600 * 1024)))).statusCode).toBe(413);
  });
});

/** An archive of SA's that waits to be fetched. */
async function finishedExport(): Promise<string> {
  const mission = await server.db.selectFrom('missions').select('id').executeTakeFirstOrThrow();
  const { id } = await server.db
    .insertInto('tasks')
    .values({
      kind: 'export',
      user_id: server.userId('SA'),
      state: 'done',
      title: 'Kea',
      input: JSON.stringify({ missions: [mission.id] }),
      result: JSON.stringify({ fileName: 'kea.zip' }),
      error: null,
      size_bytes: 3,
      offset_bytes: null,
      storage_key: null,
      created: 0,
      ended: Date.now() * 1000,
      heartbeat: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await server.dependencies.storage.put(`exports/${id}.zip`, [Buffer.from('zip')]);
  return id;
}

/** SA asks for an archive, for a list, and for the archive that waits: what each of them answers. */
async function triedExports(finished: string): Promise<[number, string | null][]> {
  const calls = [
    { method: 'POST', url: '/api/missions/export', payload: { missions: ['Kea'], async: true } },
    { method: 'POST', url: '/api/missions/exportList', payload: { missions: ['Kea'] } },
    { method: 'GET', url: `/api/exports/${finished}` },
  ] as const;
  return Promise.all(
    calls.map(async (call) => {
      const answer = await server.asUser('SA').inject(call);
      return [answer.statusCode, answer.statusCode === 200 ? null : answer.json().text];
    }),
  );
}

it('a good licence without exports refuses them, and says that it is for want of the option', async () => {
  await addMission(server.db, { name: 'Kea', state: 'Ready' });
  const finished = await finishedExport();

  await upload(tokenOf(key.privateKey, { options: ['live'] }));

  const refused = [422, 'The licence does not include exports.'];
  expect(await triedExports(finished)).toEqual([refused, refused, refused]);
});

describe('a licence that holds no more', () => {
  const requirement = async () => {
    const keysFolder = `${server.dataDir}/keys/licence`;
    return readLicence({ db: server.db, keysFolder, nowUs: () => Date.now() * 1000 + laterUs });
  };

  it('because it expired gives demo mode: three users, one platform, no export; a new one ends it', async () => {
    await upload(tokenOf(key.privateKey, { expires: Date.now() * 1000 + 60_000_000 }));
    expect((await requirement()).options.has('export')).toBe(true);
    await addMission(server.db, { name: 'Kea', state: 'Ready' });
    const finished = await finishedExport();
    const exports = () => triedExports(finished);
    expect((await exports()).map(([status]) => status)).toEqual([200, 200, 200]);

    laterUs = 61_000_000;
    await expect.poll(demoMode).toBe(true);

    const { valid, message, details } = await get<LicenceInfo>('licenseInfo');
    expect({ valid, message }).toEqual({ valid: false, message: 'It has expired.' });
    expect(details).toMatchObject({ state: 'demo', users: { limit: 3 }, platforms: { limit: 1 } });
    expect((await requirement()).options.has('export')).toBe(false);
    const refused = [422, 'Exports are off: the licence of this server is not valid.'];
    expect(await exports()).toEqual([refused, refused, refused]);
    await upload(tokenOf(key.privateKey));
    expect(await demoMode()).toBe(false);
    expect((await exports()).map(([status]) => status)).toEqual([200, 200, 200]);
  });

  it('because its key was taken away gives demo mode, is announced once to all, and admins always get in', {
    tags: 'long',
  }, async () => {
    await upload(tokenOf(key.privateKey));
    const address = await server.listen();
    const received = await listener(address, 'U1');

    await rm(key.publicFile);
    await expect.poll(demoMode).toBe(true);

    await expect.poll(() => received.filter((name) => name === 'demoexpired').length).toBe(1);
    await expect.poll(() => received).toContain('info');
    // U1 has a page open; two more are three.
    const statuses: [string, number][] = [];
    for (const name of ['U2', 'U0', 'guest', 'GA', 'U1'] as const) {
      const answer = await server.asUser(name).inject({ method: 'GET', url: '/api/missions/brief' });
      statuses.push([name, answer.statusCode]);
    }
    expect(statuses).toEqual([
      ['U2', 200],
      ['U0', 200],
      ['guest', 429],
      ['GA', 429],
      ['U1', 200],
    ]);
    expect((await server.asUser('A2').inject({ method: 'GET', url: '/api/users' })).statusCode).toBe(200);
  });
});

it('is announced once when it changes, and its end apart', async () => {
  const heard: string[] = [];
  const keeper = await licenceKeeper({
    ...{ db: server.db, keysFolder: `${server.dataDir}/keys/licence`, nowUs: () => Date.now() * 1000 + laterUs },
    ...{
      onChanged: () => heard.push('changed'),
      onExpired: () => heard.push('expired'),
      log: { warn: () => undefined },
    },
  });
  const heardAfterRefresh = async () => {
    await keeper.refresh();
    return heard.splice(0);
  };
  try {
    expect(await heardAfterRefresh()).toEqual([]);
    await upload(tokenOf(key.privateKey, { expires: Date.now() * 1000 + 60_000_000 }));
    expect(await heardAfterRefresh()).toEqual(['changed']);
    expect(await heardAfterRefresh()).toEqual([]);
    laterUs = 61_000_000;
    expect(await heardAfterRefresh()).toEqual(['expired', 'changed']);
    expect(await heardAfterRefresh()).toEqual([]);
  } finally {
    keeper.close();
  }
});

describe('places', () => {
  it('T-108 are counted by account: an admin gets in, the next user is refused, ten sockets of one count once, the 11th is refused', async () => {
    await upload(tokenOf(key.privateKey, { users: 1 }));
    const address = await server.listen();
    const admin = await listener(address, 'A2');
    const sockets: string[][] = [];
    for (let i = 0; i < 10; i++) sockets.push(await listener(address, 'U1'));
    for (let i = 10; i < 50; i++) await expect(listener(address, 'U1')).rejects.toThrow('unauthorized');

    const refused = await server.asUser('U2').inject({ method: 'GET', url: '/api/missions/brief' });
    expect(refused.json()).toMatchObject({ status: 429, code: 'tooManyUsers' });
    expect((await server.asUser('U1').inject({ method: 'GET', url: '/api/missions/brief' })).statusCode).toBe(200);
    expect((await server.asUser('SA').inject({ method: 'GET', url: '/api/missions/brief' })).statusCode).toBe(200);
    expect(await logIn('U2')).toMatchObject({ status: 429, code: 'tooManyUsers' });
    expect(await logIn('A2')).toMatchObject({ username: 'A2', role: 'admin' });

    await expect.poll(() => admin).toContain('concurrent_users_limit_reached');
    expect(sockets.flat()).not.toContain('concurrent_users_limit_reached');
    expect((await get<LicenceInfo>('licenseInfo')).details?.users).toEqual({ now: 1, limit: 1 });
  });

  it('that are taken raise an alert where somebody signs in, and none where the page of the log-in is opened', async () => {
    const reported: string[] = [];
    const kept = seats({
      limit: () => 1,
      isOnline: () => false,
      nowMs: () => 0,
      onRefused: (text) => reported.push(text),
    });
    const actor = (id: string, role: Role): Actor => ({
      ...{ id, username: id, role, clearance: 'UNCLASSIFIED' },
      ...{ groups: [], administered: [] },
    });
    expect(kept.admit(actor('one', 'user'), { signsIn: true })).toBe(true);

    // The page /login asks for its earlier session, and for one of the guest.
    expect(kept.admit(actor('two', 'user'), { signsIn: false })).toBe(false);
    expect(kept.admit(actor('guest', 'guest'), { signsIn: true })).toBe(false);
    expect(reported).toEqual([]);
    expect(kept.admit(actor('two', 'user'), { signsIn: true })).toBe(false);
    expect(reported).toEqual(['1 of 1 places are taken']);
  });

  it('are free again after a logout, or a minute after the last request', async () => {
    await upload(tokenOf(key.privateKey, { users: 1 }));
    const status = async (by: Subject) =>
      (await server.asUser(by).inject({ method: 'GET', url: '/api/missions/brief' })).statusCode;
    expect(await status('U1')).toBe(200);
    expect(await status('U2')).toBe(429);

    await server.asUser('U1').inject({ method: 'POST', url: '/api/logout' });
    expect(await status('U2')).toBe(200);
    expect(await status('U0')).toBe(429);

    laterUs = 61_000_000;
    expect(await status('U0')).toBe(200);
  });

  it('taken by others refuse a login, without leaving a credential', async () => {
    await upload(tokenOf(key.privateKey, { users: 1 }));
    await get('info', 'U1');
    const before = await server.db.selectFrom('credentials').select('id').execute();

    const guest = await server.inject({ method: 'POST', url: '/api/login/guest' });

    expect(guest.json()).toMatchObject({ code: 'tooManyUsers' });
    expect(await server.db.selectFrom('credentials').select('id').execute()).toHaveLength(before.length);
    const id = await makeUser(server.db, { name: 'second admin', role: 'admin', clearance: 1 });
    const made = await credentialRepository({ db: server.db, nowUs: () => Date.now() * 1000 }).make({
      userId: id,
      client: 'test',
      address: '127.0.0.1',
      cookie: false,
    });
    const headers = { authorization: basicOf('second admin', made.secret) };
    expect((await server.inject({ method: 'GET', url: '/api/users', headers })).statusCode).toBe(200);
  });
});

/** By the form of the login. */
async function logIn(by: Subject): Promise<unknown> {
  const password = 'Gulls over the mole';
  const password_hash = await passwordHashes({ nowMs: () => performance.now() }).hash(password);
  await server.db.updateTable('users').set({ password_hash }).where('username', '=', by).execute();
  const answer = await server.inject({ method: 'POST', url: '/api/login', payload: { username: by, password } });
  return answer.json();
}

/** An open page of an account; returns the names of the events that it gets. */
async function listener(address: string, by: Subject): Promise<string[]> {
  const { ticket } = (await server.asUser(by).inject({ method: 'POST', url: '/api/tickets' })).json() as {
    ticket: string;
  };
  const socket = io(address, { transports: ['websocket'], forceNew: true, reconnection: false, auth: { ticket } });
  open.push(socket);
  const received: string[] = [];
  socket.onAny((name: string) => received.push(name));
  await new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(null));
    socket.once('connect_error', reject);
  });
  return received;
}
