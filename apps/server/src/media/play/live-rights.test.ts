import { sql } from 'kysely';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { waitingFor } from '../../../test/locks.ts';
import { addFile, addMission, addSensor } from '../../../test/missions.ts';
import { basicOf, type Subject, testServer } from '../../../test/server.ts';
import { connect } from '../../base/db/connect.ts';
import { passwordHashes } from '../../features/identity/password-hashes.ts';

const LARGE = 64 * 1024 * 1024;

const server = await testServer();
const { db, groups } = server;
const address = await server.listen();

async function recorded(classification: number) {
  const missionId = await addMission(db, { classification, audience: 'groups', state: 'Ready' });
  await db.insertInto('mission_usergroups').values({ mission_id: missionId, usergroup_id: groups.G1 }).execute();
  const sensorId = await addSensor(db, missionId, { state: 'Ready' });
  const storage_key = `originals/${sensorId}/a.ts`;
  await server.dependencies.storage.put(storage_key, [Buffer.alloc(LARGE)]);
  const id = await addFile(db, sensorId, { storage_key, size_bytes: LARGE });
  return { missionId, sensorId, url: `/api/media/${sensorId}/${id}.ts` };
}

type Recorded = Awaited<ReturnType<typeof recorded>>;
let open: Recorded;
let labelled: Recorded;

beforeAll(async () => {
  open = await recorded(1);
  labelled = await recorded(3);
});

const ask = async (who: Subject, { url }: Recorded) =>
  (await server.asUser(who).inject({ method: 'GET', url, headers: { range: 'bytes=0-187' } })).statusCode;

/** A download whose reader waits, so that it stays open. */
async function download(who: Subject, { url }: Recorded, headers: Record<string, string> = server.headersOf(who)) {
  const answer = await fetch(`${address}${url}`, { headers });
  const reader = answer.body!.getReader();
  await reader.read();
  return reader;
}

describe('a request for bytes', () => {
  it('asks no database: it is answered while every table of rights is locked', async () => {
    expect([await ask('U1', open), await ask('U1', labelled), await ask('U0', labelled)]).toEqual([206, 206, 404]);

    const statuses = await db.transaction().execute(async (tx) => {
      await sql`lock table users, usergroups, user_usergroups, user_administered, credentials, missions,
        mission_usergroups, sensors, files in access exclusive mode`.execute(tx);
      return Promise.all([ask('U1', open), ask('U1', labelled)]);
    });

    expect(statuses).toEqual([206, 206]);
  });

  it.each([
    [
      'the group of its reader',
      () => db.deleteFrom('user_usergroups').where('user_id', '=', server.userId('U1')).execute(),
    ],
    [
      'the clearance',
      () => db.updateTable('users').set({ clearance: 1 }).where('id', '=', server.userId('U1')).execute(),
    ],
    [
      'the account, by disabling it',
      () => db.updateTable('users').set({ disabled: true }).where('id', '=', server.userId('U1')).execute(),
    ],
    [
      'the account, by deleting it',
      () => db.updateTable('users').set({ deleted_time: 1 }).where('id', '=', server.userId('U1')).execute(),
    ],
  ])('is refused within a second after the loss of %s', async (_what, lose) => {
    expect(await ask('U1', labelled)).toBe(206);

    await lose();

    await expect.poll(() => ask('U1', labelled), { timeout: 1000, interval: 20 }).not.toBe(206);
    await db
      .updateTable('users')
      .set({ clearance: 3, disabled: false, deleted_time: null })
      .where('id', '=', server.userId('U1'))
      .execute();
    await db
      .insertInto('user_usergroups')
      .values({ user_id: server.userId('U1'), usergroup_id: groups.G1 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await expect.poll(() => ask('U1', labelled)).toBe(206);
  });

  it('is refused within a second after the loss of the role that it was seen by', async () => {
    const setRole = (role: 'superAdmin' | 'user') =>
      db.updateTable('users').set({ role }).where('id', '=', server.userId('SA')).execute();
    expect(await ask('SA', labelled)).toBe(206);

    await setRole('user');

    await expect.poll(() => ask('SA', labelled), { timeout: 1000, interval: 20 }).toBe(404);
    await setRole('superAdmin');
    await expect.poll(() => ask('SA', labelled)).toBe(206);
  });

  it('is refused within a second after a mission was moved to another group, deleted, or its credential revoked', async () => {
    const moved = await recorded(1);
    const deleted = await recorded(1);
    expect([await ask('U1', moved), await ask('U1', deleted), await ask('GA', open)]).toEqual([206, 206, 206]);

    await db
      .updateTable('mission_usergroups')
      .set({ usergroup_id: groups.G2 })
      .where('mission_id', '=', moved.missionId)
      .execute();
    await db.deleteFrom('missions').where('id', '=', deleted.missionId).execute();
    await db.deleteFrom('credentials').where('user_id', '=', server.userId('GA')).execute();

    const all = async () => [await ask('U1', moved), await ask('U1', deleted), await ask('GA', open)];
    await expect.poll(all, { timeout: 1000, interval: 20 }).toEqual([404, 404, 401]);
  });
});

describe('a right that is lost after it was asked for', () => {
  const account = () => db.updateTable('users').where('id', '=', server.userId('U1'));
  const waits = () => waitingFor('audit', db);

  it('opens no transfer: the row of the audit that it waited for comes too late', async () => {
    const secret = await recorded(3);
    const open = await download('U1', labelled);

    const asked = await db.transaction().execute(async (tx) => {
      await sql`lock table audit in exclusive mode`.execute(tx);
      const answer = fetch(`${address}${secret.url}`, { headers: server.headersOf('U1') });
      await expect.poll(waits).toBe(1);
      await account().set({ clearance: 1 }).execute();
      // Running reads end: all listeners have been notified.
      await expect(drain(open)).rejects.toThrow();
      return { answer };
    });

    const answer = await asked.answer;
    await account().set({ clearance: 3 }).execute();
    expect([answer.status, answer.headers.get('etag')]).toEqual([404, null]);
    expect(await answer.json()).toMatchObject({ code: 'notFound' });
    await expect.poll(() => server.reads.size()).toBe(0);
  });
});

it('ends downloads that a password opened when it is changed, those of its media tokens too, and no other', async () => {
  const { hash } = passwordHashes({ nowMs: () => performance.now() });
  const account = () => db.updateTable('users').where('id', '=', server.userId('U0'));
  await account()
    .set({ password_hash: await hash('the old password') })
    .execute();
  const authorization = basicOf('U0', 'the old password');
  const shared = await recorded(1);
  await db.updateTable('missions').set({ audience: 'everyone' }).where('id', '=', shared.missionId).execute();
  const seen = await server.inject({ url: `/api/missions/${shared.missionId}`, headers: { authorization } });
  const byToken = { ...shared, url: `${shared.url}?token=${seen.json().accessToken}` };
  const opened = [
    await download('U0', shared, { authorization }),
    await download('U0', byToken, {}),
    await download('U0', shared),
  ];
  await expect.poll(() => server.reads.size()).toBe(3);

  await account()
    .set({ password_hash: await hash('the new password') })
    .execute();
  const ends = await Promise.allSettled(opened.map(drain));

  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

describe('T-035 a server that hears of no lost rights', () => {
  it('answers 503 at once, ends what is open above UNCLASSIFIED after 5 s, and comes back', async () => {
    const [fromOpen, fromLabelled] = [await download('U1', open), await download('U1', labelled)];
    await expect.poll(() => server.reads.size()).toBe(2);
    const maintenance = connect({ url: inject('databaseServer').url, max: 1 });
    const name = new URL(server.databaseUrl).pathname.slice(1);
    const allow = (yes: boolean) =>
      sql`alter database ${sql.id(name)} with allow_connections ${sql.raw(String(yes))}`.execute(maintenance);

    await allow(false);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = ${name} and (query = 'select 1' or query like 'listen osprey%')`.execute(maintenance);
    await expect.poll(() => ask('U1', open), { timeout: 1000, interval: 20 }).toBe(503);
    for (const url of ['/api/cases', `/api/cases/${crypto.randomUUID()}`]) {
      expect((await server.asUser('U1').inject({ url })).statusCode).toBe(503);
    }
    // A question that was answered before may just be ending.
    const readNow = server.reads.itemsOf(new Set([server.userId('U1')]));
    expect(readNow).toEqual(expect.arrayContaining([open.missionId, labelled.missionId]));
    await expect.poll(() => server.reads.size()).toBe(1);
    await expect(drain(fromLabelled)).rejects.toThrow();

    await allow(true);
    await expect.poll(() => ask('U1', labelled)).toBe(206);
    expect(await drain(fromOpen)).toBe(true);
    await maintenance.destroy();
  }, 30_000);
});

async function drain(reader: Awaited<ReturnType<typeof download>>): Promise<boolean> {
  for (let part = await reader.read(); !part.done; part = await reader.read());
  return true;
}

describe('T-103 the audit', () => {
  it('has a row for each viewing above UNCLASSIFIED, with actor, item, label and time', async () => {
    const secret = await recorded(3);
    const startedUs = Date.now() * 1000;

    for (const who of ['U1', 'SA'] as const) expect(await ask(who, secret)).toBe(206);
    const rows = await db
      .selectFrom('audit')
      .select(['actor_id', 'item_id', 'item_label', 'action', 'via', 'time'])
      .where('item_id', '=', secret.missionId)
      .orderBy('seq')
      .execute();
    const row = { item_id: secret.missionId, item_label: 3, action: 'media.begin' };
    expect(rows).toMatchObject([
      { ...row, actor_id: server.userId('U1'), via: null },
      { ...row, actor_id: server.userId('SA'), via: 'allGroups' },
    ]);
    expect(rows.every(({ time }) => time >= startedUs && time <= Date.now() * 1000)).toBe(true);
  });

  it('that cannot be written refuses labelled reads with 503, and lets the others go on', async () => {
    const [secret, plain] = [await recorded(3), await recorded(1)];
    await sql`create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'read only'; end $$`.execute(db);
    await sql`create trigger read_only before insert on audit for each row execute function refuse()`.execute(db);

    const statuses = [await ask('U1', secret), await ask('U1', plain)];

    await sql`drop trigger read_only on audit`.execute(db);
    expect(statuses).toEqual([503, 206]);
    expect(await ask('U1', secret)).toBe(206);
  });
});
