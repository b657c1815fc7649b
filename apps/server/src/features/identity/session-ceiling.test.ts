import type { ExportTask, ImportTask } from '@osprey/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventSockets, idsOf, until } from '../../../test/event-sockets.ts';
import { addFile, addMission, addSensor } from '../../../test/missions.ts';
import { basicOf, type TestServer, testServer } from '../../../test/server.ts';
import { keepingDependencies } from '../../compose/upkeep.ts';
import { retireMission } from '../missions/bin.ts';
import { applyRetention } from '../retention/apply.ts';
import { passwordHashes } from './password-hashes.ts';
import { DEVICE_COOKIE } from './session.ts';

const PASSWORD = 'Fulmar-7';
const LARGE = 64 * 1024 * 1024;
const password_hash = await passwordHashes({ nowMs: () => performance.now() }).hash(PASSWORD);

type Name = 'SA' | 'U0' | 'U2';
type Headers = Record<string, string>;

const server = await testServer();
const { db } = server;
const address = await server.listen();
const sockets = eventSockets(server, address);
const tasks = () => keepingDependencies(server.dependencies).tasks;

/** Headers of a browser after a log-in with this ceiling. */
async function browserOf(on: TestServer, name: Name, ceiling?: unknown): Promise<Headers> {
  await on.db.updateTable('users').set({ password_hash }).where('id', '=', on.userId(name)).execute();
  const answer = await on.inject({
    method: 'POST',
    url: '/api/login',
    payload: { username: name, password: PASSWORD, ...(ceiling === undefined ? {} : { ceiling }) },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  const { credential } = answer.json() as { credential: string };
  const [cookie] = answer.cookies as { value: string }[];
  return { authorization: basicOf(name, credential), cookie: `${DEVICE_COOKIE}=${cookie!.value}` };
}

async function ask(headers: Headers, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) {
  const answer = await server.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
}

const listOf = async (on: TestServer, headers: Headers): Promise<string[]> => {
  const answer = await on.inject({ method: 'GET', url: '/api/missions/brief', headers });
  return (answer.json() as { _id: string }[]).map(({ _id }) => _id).sort();
};

const whoAmI = (headers: Headers) => ask(headers, 'GET', '/api/users/authenticated');

/** A mission of G2 and, at UNCLASSIFIED, of everybody; with a file. */
async function recorded(classification: number, on: TestServer = server) {
  const shared = classification === 1 ? ('everyone' as const) : ('groups' as const);
  const missionId = await addMission(on.db, { classification, audience: shared, state: 'Ready' });
  const link = { mission_id: missionId, usergroup_id: on.groups.G2 };
  if (classification > 1) await on.db.insertInto('mission_usergroups').values(link).execute();
  const sensorId = await addSensor(on.db, missionId, { state: 'Ready' });
  const storage_key = `originals/${sensorId}/a.ts`;
  await on.dependencies.storage.put(storage_key, [Buffer.alloc(LARGE)]);
  const id = await addFile(on.db, sensorId, { storage_key, size_bytes: LARGE });
  return { missionId, url: `/api/media/${sensorId}/${id}.ts` };
}

const setLabel = (id: string, classification: number) =>
  db.updateTable('missions').set({ classification }).where('id', '=', id).execute();

let open: Awaited<ReturnType<typeof recorded>>;
let secret: Awaited<ReturnType<typeof recorded>>;
let whole: Headers;
let limited: Headers;

beforeAll(async () => {
  open = await recorded(1);
  secret = await recorded(4);
  whole = await browserOf(server, 'U2');
  limited = await browserOf(server, 'U2', 'UNCLASSIFIED');
});

describe('T-118 a session that was opened with a ceiling', () => {
  it('lists, counts and opens as U0 does', async () => {
    const asU0 = server.headersOf('U0');

    expect(await listOf(server, limited)).toEqual(await listOf(server, asU0));
    expect(await listOf(server, whole)).toEqual([open.missionId, secret.missionId].sort());
    const countOf = async (headers: Headers) =>
      (await server.inject({ method: 'GET', url: '/api/missions/brief?limit=1&count=1', headers })).headers[
        'x-total-count'
      ];
    expect([await countOf(limited), await countOf(asU0), await countOf(whole)]).toEqual(['1', '1', '2']);
    const hidden = await ask(limited, 'GET', `/api/missions/${secret.missionId}`);
    const absent = await ask(limited, 'GET', `/api/missions/${crypto.randomUUID()}`);
    expect([hidden.status, hidden.body]).toEqual([404, absent.body]);
    expect((await whoAmI(limited)).body).toMatchObject({
      securityClearance: 'UNCLASSIFIED',
      limit: { label: 'UNCLASSIFIED', by: 'login' },
    });
    expect((await whoAmI(whole)).body).not.toHaveProperty('limit');
  });

  it('gets bytes below it, by each way in', async () => {
    const bytes = async (headers: Headers, { url }: typeof open) =>
      (await server.inject({ method: 'GET', url, headers: { ...headers, range: 'bytes=0-187' } })).statusCode;
    const cookie = ({ cookie }: Headers) => ({ cookie: cookie! });

    expect([await bytes(limited, open), await bytes(limited, secret)]).toEqual([206, 404]);
    expect([await bytes(cookie(limited), open), await bytes(cookie(limited), secret)]).toEqual([206, 404]);
    expect([await bytes(whole, secret), await bytes(cookie(whole), secret)]).toEqual([206, 206]);
  });

  it('hears of no more on its sockets, and loses what rises above it while another session keeps it', async () => {
    const page = async (headers: Headers) => {
      const { body } = await ask(headers, 'POST', '/api/tickets');
      const client = sockets.socketWith(body);
      await new Promise<void>((resolve) => client.socket.once('connect', resolve));
      return client;
    };
    const [low, high] = [await page(limited), await page(whole)];
    const rising = await recorded(1);
    const { changed } = server.dependencies.events;

    changed('missions', [secret.missionId]);
    changed('missions', [rising.missionId]);
    await until(() => idsOf(low).includes(rising.missionId) && idsOf(high).includes(rising.missionId));
    expect([idsOf(low).includes(secret.missionId), idsOf(high).includes(secret.missionId)]).toEqual([false, true]);

    await setLabel(rising.missionId, 2);
    const revoked = (client: typeof low) =>
      client.named('revoked').flatMap(({ payload }) => (payload as { ids: string[] }).ids);
    await until(() => revoked(low).includes(rising.missionId));
    expect(revoked(high)).toEqual([]);

    // Rights of the account are read again; the ceiling stays.
    await db.updateTable('users').set({ clearance: 4 }).where('id', '=', server.userId('U2')).execute();
    await until(() => revoked(low).includes(server.userId('U2')) && revoked(high).includes(server.userId('U2')));
    changed('missions', [secret.missionId]);
    changed('missions', [open.missionId]);
    await until(() => idsOf(low).includes(open.missionId));
    expect(idsOf(low)).not.toContain(secret.missionId);
    await db.updateTable('users').set({ clearance: 5 }).where('id', '=', server.userId('U2')).execute();
    await db.deleteFrom('missions').where('id', '=', rising.missionId).execute();
    sockets.closeAll();
  });

  it('loses a download that rises above it, while another session of the account goes on', async () => {
    const rising = await recorded(1);
    const begun = async (headers: Headers) => {
      const answer = await fetch(`${address}${rising.url}`, { headers });
      const reader = answer.body!.getReader();
      await reader.read();
      return reader;
    };
    const [low, high] = [await begun(limited), await begun(whole)];
    const restOf = async (reader: typeof low): Promise<boolean> => {
      for (;;) {
        const { done } = await reader.read();
        if (done) return true;
      }
    };

    await setLabel(rising.missionId, 2);
    await expect.poll(() => server.reads.size()).toBe(1);

    await expect(restOf(low)).rejects.toThrow();
    expect(await restOf(high)).toBe(true);
    await db.deleteFrom('missions').where('id', '=', rising.missionId).execute();
  });

  it('exports no more, also by work that goes on after it', async () => {
    const low = await browserOf(server, 'SA', 'UNCLASSIFIED');
    const high = await browserOf(server, 'SA');
    const rising = await addMission(db, { name: 'Rising', audience: 'everyone', state: 'Ready' });
    const order = async (headers: Headers, missions: string[]) =>
      ask(headers, 'POST', '/api/missions/export', { missions, async: true });

    expect((await order(low, [secret.missionId])).status).toBe(404);
    const { body: early } = await order(low, [rising]);
    await setLabel(rising, 4);
    const { body: late } = await order(high, [rising]);
    await tasks().settle();

    const own = (await ask(high, 'GET', '/api/exports')).body as ExportTask[];
    const stateOf = (id: string) => own.find(({ _id }) => _id === id)?.state;
    expect([stateOf(early.id), stateOf(late.id)]).toEqual(['failed', 'done']);
    expect((await ask(low, 'GET', '/api/exports')).body).toEqual([]);
    expect((await ask(low, 'GET', `/api/exports/${late.id}`)).status).toBe(404);
    await db.deleteFrom('missions').where('id', '=', rising).execute();
  });

  it('lists no export whose title names a mission above it, once that mission is gone', async () => {
    const [low, high] = [await browserOf(server, 'SA', 'UNCLASSIFIED'), await browserOf(server, 'SA')];
    const name = 'Gone since';
    const gone = await addMission(db, { name, classification: 4, audience: 'everyone', state: 'Ready' });
    const { body } = await ask(high, 'POST', '/api/missions/export', { missions: [gone], async: true });
    await db.deleteFrom('missions').where('id', '=', gone).execute();
    await tasks().settle();

    const titles = async (headers: Headers) =>
      ((await ask(headers, 'GET', '/api/exports')).body as ExportTask[]).map(({ title }) => title);

    expect(await titles(low)).not.toContain(name);
    expect(await titles(high)).toContain(name);
    await ask(high, 'DELETE', `/api/exports/${body.id}`);
  });

  it('hears of no import that another session ordered', async () => {
    const values = { kind: 'import', user_id: server.userId('U2'), state: 'failed', title: 'secret.zip', input: '{}' };
    const none = { result: null, error: null, size_bytes: 1, offset_bytes: 1, storage_key: null };
    const times = { created: 1, ended: 1, heartbeat: null };
    await db
      .insertInto('tasks')
      .values([
        { ...values, ...none, ...times },
        { ...values, ...none, ...times, title: 'own.zip', ceiling: 1 },
      ])
      .execute();
    await db.updateTable('users').set({ role: 'admin' }).where('id', '=', server.userId('U2')).execute();

    const titles = async (headers: Headers) =>
      ((await ask(headers, 'GET', '/api/imports')).body as ImportTask[]).map(({ title }) => title).sort();

    expect([await titles(limited), await titles(whole)]).toEqual([['own.zip'], ['own.zip', 'secret.zip']]);
    await db.updateTable('users').set({ role: 'user' }).where('id', '=', server.userId('U2')).execute();
  });

  it('administers as an account with that clearance', async () => {
    const low = await browserOf(server, 'SA', 'RESTRICTED');
    const refused = await ask(low, 'PUT', `/api/users/${server.userId('U0')}?securityClearance=3`);
    const done = await ask(low, 'PUT', `/api/users/${server.userId('U0')}?securityClearance=2`);
    await db.updateTable('users').set({ clearance: 1 }).where('id', '=', server.userId('U0')).execute();
    const made = await ask(low, 'POST', '/api/missions', { name: 'Above', securityClassification: 'SECRET' });

    expect([refused.status, done.status, made.status]).toEqual([403, 200, 403]);
  });

  it('is not raised by anything but another log-in: what it makes for a program stays below it too', async () => {
    const made = await ask(limited, 'POST', '/api/credentials', { name: 'script', days: 1 });
    const script = { authorization: basicOf('U2', made.body.credential as string) };

    expect(await listOf(server, script)).toEqual(await listOf(server, limited));
    const listed = (await ask(limited, 'GET', '/api/credentials')).body as { _id: string; ceiling?: string }[];
    expect(listed.find(({ _id }) => _id === made.body._id)?.ceiling).toBe('UNCLASSIFIED');
    const again = await browserOf(server, 'U2');
    expect(await listOf(server, again)).toContain(secret.missionId);
    expect(await listOf(server, limited)).not.toContain(secret.missionId);
  });

  it('is no more than the account: a ceiling above its clearance changes nothing', async () => {
    const above = await browserOf(server, 'U0', 'SECRET');

    const { body } = await whoAmI(above);

    expect(body).toMatchObject({ securityClearance: 'UNCLASSIFIED' });
    expect(body).not.toHaveProperty('limit');
  });

  it('is named by the audit, with the clearance that the session has', async () => {
    const low = await browserOf(server, 'U2', 'RESTRICTED');
    await browserOf(server, 'U2');

    const rows = await db
      .selectFrom('audit')
      .select(['result', 'clearance'])
      .where('action', '=', 'login')
      .where('item_id', '=', server.userId('U2'))
      .orderBy('seq', 'desc')
      .limit(2)
      .execute();

    expect(rows).toEqual([
      { result: null, clearance: 5 },
      { result: 'ceiling RESTRICTED', clearance: 2 },
    ]);
    expect((await whoAmI(low)).status).toBe(200);
  });

  it.each([0, 6, 'SECRET ', null, 'NATO'])('is refused where it is no label: %j', async (ceiling) => {
    const payload = { username: 'U2', password: PASSWORD, ceiling };

    const answer = await server.inject({ method: 'POST', url: '/api/login', payload });

    expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'invalid' }]);
    expect(answer.body).toContain('body.ceiling');
  });
});

describe('T-118 a listener with a ceiling', async () => {
  const low = await testServer({ config: { listenCeiling: 'UNCLASSIFIED' } });

  it('shows each session no more, however it came in', async () => {
    const [free, hidden] = [await recorded(1, low), await recorded(4, low)];
    const browser = await browserOf(low, 'U2');
    const asked = (headers: Headers, url: string) => low.inject({ method: 'GET', url, headers });

    for (const headers of [browser, { authorization: basicOf('U2', PASSWORD) }, low.headersOf('U2')]) {
      expect(await listOf(low, headers)).toEqual([free.missionId]);
      expect((await asked({ ...headers, range: 'bytes=0-187' }, free.url)).statusCode).toBe(206);
      expect((await asked({ ...headers, range: 'bytes=0-187' }, hidden.url)).statusCode).toBe(404);
    }
    const who = (await asked(browser, '/api/users/authenticated')).json();
    expect(who).toMatchObject({ securityClearance: 'UNCLASSIFIED', limit: { label: 'UNCLASSIFIED', by: 'listener' } });
  });

  it('leaves its ceiling with the sessions that it opened: one that shows more needs another log-in', async () => {
    await browserOf(low, 'U2', 'SECRET');

    const row = await low.db
      .selectFrom('credentials')
      .select('ceiling')
      .where('user_id', '=', low.userId('U2'))
      .orderBy('created', 'desc')
      .executeTakeFirstOrThrow();

    expect(row.ceiling).toBe(1);
  });
});

it('deletes by a rule nothing above the ceiling of the session in which the rule was made', async () => {
  const old = { audience: 'everyone' as const, state: 'Ready', platform_name: 'Heron', end_time: 1 };
  const low = await addMission(db, old);
  const high = await addMission(db, { ...old, classification: 4 });
  const limitedAdmin = await browserOf(server, 'SA', 'UNCLASSIFIED');
  const made = await ask(limitedAdmin, 'POST', '/api/retention/rules', { platform: 'Heron', days: 30 });
  expect(made.status).toBe(200);

  const { nowUs } = server.dependencies;
  const retire = (id: string) => retireMission(db, id, nowUs());
  const retired = await applyRetention({ db, nowUs, retire, changed: () => {} });

  const ids = retired.map(({ id }) => id);
  expect([ids.includes(low), ids.includes(high)]).toEqual([true, false]);
});
