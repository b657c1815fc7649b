import type { ActivityRow, OpenSession, UserMessage } from '@osprey/contract';
import { io } from 'socket.io-client';
import { describe, expect, it } from 'vitest';
import { addDocument } from '../../../test/documents.ts';
import { addMission } from '../../../test/missions.ts';
import { addPlatform } from '../../../test/platforms.ts';
import { makeUser, type Subject, testServer } from '../../../test/server.ts';
import { kindOf } from './kinds.ts';

const server = await testServer();
const { db, asUser, userId, groups } = server;
const address = await server.listen();

const rowsFor = async (by: Subject, query = '') =>
  (await asUser(by).inject({ method: 'GET', url: `/api/activity?limit=500&${query}` })).json() as ActivityRow[];
const sessionsFor = async (by: Subject, query = '') =>
  (await asUser(by).inject({ method: 'GET', url: `/api/sessions?${query}` })).json() as OpenSession[];

const inG1 = await addMission(db, { name: 'In G1', classification: 2, audience: 'groups', state: 'Ready' });
const inG2 = await addMission(db, { name: 'In G2', classification: 4, audience: 'groups', state: 'Ready' });
await db
  .insertInto('mission_usergroups')
  .values([
    { mission_id: inG1, usergroup_id: groups.G1 },
    { mission_id: inG2, usergroup_id: groups.G2 },
  ])
  .execute();
await asUser('U1').inject({ method: 'GET', url: `/api/missions/${inG1}` });
await asUser('U2').inject({ method: 'GET', url: `/api/missions/${inG2}` });
await asUser('U1').inject({ method: 'GET', url: `/api/missions/${inG2}` });

describe('user activity', () => {
  it('shows who opened what, when, from where and with what, with the names that the reader may see', async () => {
    const [opened] = await rowsFor('SA', `users=${userId('U1')}&kinds=opened&outcome=allowed`);

    expect(opened).toMatchObject({
      user: { username: 'U1' },
      action: 'mission.read',
      item: { _id: inG1, name: 'In G1' },
      itemLabel: 'RESTRICTED',
      address: '127.0.0.1',
      client: 'test',
    });
    expect((await rowsFor('SA', `item=${inG2}`)).map(({ user, outcome }) => [user?.username, outcome])).toContainEqual([
      'U2',
      'allowed',
    ]);
    expect(await rowsFor('SA', 'start=2099-01-01T00:00:00Z')).toEqual([]);
  });

  it('keeps from an admin what is above their clearance, and from a groupAdmin what is not theirs', async () => {
    const items = async (by: Subject) => (await rowsFor(by)).map(({ item }) => item?._id);
    expect(await items('SA')).toContain(inG2);
    expect(await items('A2')).toContain(inG1);
    expect(await items('A2')).not.toContain(inG2);
    const seen = await rowsFor('GA');
    expect(seen.map(({ item }) => item?._id)).toContain(inG1);
    expect(seen.map(({ item }) => item?._id)).not.toContain(inG2);
    expect(new Set(seen.map(({ user }) => user?.username))).not.toContain('U2');
    expect((await asUser('U1').inject({ method: 'GET', url: '/api/activity' })).statusCode).toBe(403);
  });

  it('shows a groupAdmin what was done to documents and live platforms, but for those that are hidden', async () => {
    const document = await addDocument(db, { classification: 2, audience: 'groups' }, [groups.G1]);
    const hidden = await addDocument(db, { classification: 2, audience: 'groups' }, [groups.G2]);
    const platform = await addPlatform(db, { usergroups: [groups.G1] });
    const above = await addPlatform(db, { usergroups: [groups.G1], classification: 5 });
    const did = (seq: number, action: string, item_id: string) => ({
      ...{ node: 'documents', seq, time: seq, monotonic: seq, actor_id: userId('U1'), role: 'user', clearance: 3 },
      ...{ session: null, address: '', action, item_id, item_label: null, groups: null, decision: 'allowed' as const },
      ...{ via: null, result: null, reason: null, previous_hash: Buffer.alloc(32), hash: Buffer.alloc(32) },
    });
    const items = [document, hidden, platform, above];
    const rows = items.map((id, index) => did(index + 1, 'document.update', id));
    await db.insertInto('audit').values(rows).execute();

    const seen = await rowsFor('GA', 'end=1970-01-02T00:00:00Z');

    expect(seen.map(({ item }) => item?._id)).toEqual([platform, document]);
    expect((await rowsFor('SA', 'end=1970-01-02T00:00:00Z')).length).toBe(items.length);
  });

  it('is exported as a table and as JSON with the same filter', async () => {
    const file = (format: string) =>
      asUser('SA').inject({ method: 'GET', url: `/api/activity/export?format=${format}&item=${inG1}` });

    const [csv, json] = [await file('csv'), await file('json')];

    expect(csv.headers['content-disposition']).toMatch(/^attachment; filename="activity-\d{4}-\d\d-\d\d\.csv"$/);
    expect(csv.body.split('\r\n')[0]).toBe(
      'time,user,role,kind,action,item,item id,label,address,client,outcome,result',
    );
    expect(csv.body).toContain('In G1');
    expect((JSON.parse(json.body) as ActivityRow[]).every(({ item }) => item?._id === inG1)).toBe(true);
    expect(
      JSON.parse(
        (
          await asUser('SA').inject({
            method: 'GET',
            url: `/api/activity/export?format=json&item=${crypto.randomUUID()}`,
          })
        ).body,
      ),
    ).toEqual([]);
  });

  it('T-089 holds hostile names of items, accounts and programs as text in its table', async () => {
    const names = { item: '=cmd()', user: '+1', client: '@SUM(1)' };
    const item = await addMission(db, { name: names.item, audience: 'everyone', state: 'Ready' });
    const user = await makeUser(db, { name: names.user, role: 'user', clearance: 1 });
    const session = await db
      .insertInto('credentials')
      .values({
        ...{ user_id: user, secret_hash: Buffer.from(user), cookie_hash: null, created: 0, last_used: 0, expires: 0 },
        ...{ client: names.client, address: '' },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const row = {
      ...{ node: 'hostile', seq: 1, time: 1, monotonic: 1, actor_id: user, role: 'user', clearance: 1 },
      ...{ session: session.id, address: '', action: 'mission.update', item_id: item, item_label: 1, groups: null },
      ...{ decision: 'allowed' as const, via: null, result: '-1', reason: null },
      ...{ previous_hash: Buffer.alloc(32), hash: Buffer.alloc(32) },
    };
    await db.insertInto('audit').values(row).execute();

    const url = `/api/activity/export?format=csv&item=${item}`;
    const { body } = await asUser('SA').inject({ method: 'GET', url });

    const [, line = ''] = body.split('\r\n');
    for (const text of [...Object.values(names), '-1']) expect(line).toContain(`,'${text}`);
  });

  it.each([
    ['login', 'session'],
    ['media.begin', 'watched'],
    ['mission.read', 'opened'],
    ['mission.export', 'exported'],
    ['usergroup.delete', 'changed'],
  ])('calls %s %s', (action, kind) => {
    expect(kindOf(action)).toBe(kind);
  });
});

describe('messages to an account', () => {
  it("are changes by others, sent to the account's owner alone, and at once to open pages", async () => {
    const { ticket } = (await asUser('U0').inject({ method: 'POST', url: '/api/tickets' })).json() as {
      ticket: string;
    };
    const socket = io(address, { transports: ['websocket'], reconnection: false, auth: { ticket } });
    await new Promise((resolve) => socket.once('connect', () => resolve(null)));
    const received = new Promise((resolve) => socket.once('message', resolve));
    const messagesFor = async (by: Subject) =>
      ((await asUser(by).inject({ method: 'GET', url: '/api/usermessages' })).json() as UserMessage[]).map(
        ({ text }) => text,
      );
    const text = 'An administrator changed your account: clearance.';

    const url = `/api/users/${userId('U0')}`;
    expect((await asUser('SA').inject({ method: 'PUT', url: `${url}?securityClearance=2` })).statusCode).toBe(200);
    await asUser('SA').inject({
      method: 'PUT',
      url: '/api/users',
      payload: { users: [userId('U0')], add: [groups.G2] },
    });

    expect(await received).toEqual({ text });
    expect(await messagesFor('U0')).toEqual(['An administrator changed your account: usergroups.', text]);
    expect(await messagesFor('SA')).toEqual([]);
    expect(await messagesFor('U2')).toEqual([]);
    expect(await messagesFor('guest')).toEqual([]);
    socket.disconnect();
  });
});

describe('open sessions', () => {
  it('are listed with the accounts that the caller sees', async () => {
    expect((await sessionsFor('SA')).map(({ user }) => user.username)).toContain('U2');
    expect(new Set((await sessionsFor('GA')).map(({ user }) => user.username))).toEqual(new Set(['A2', 'GA', 'U1']));
    expect((await sessionsFor('GA')).filter(({ current }) => current).map(({ user }) => user.username)).toEqual(['GA']);
    expect((await sessionsFor('SA', `users=${userId('U0')}`)).map(({ user }) => user.username)).toEqual(['U0']);
  });

  it('end within a second, with their sockets, all or none and only of lower roles', async () => {
    const { ticket } = (await asUser('U1').inject({ method: 'POST', url: '/api/tickets' })).json() as {
      ticket: string;
    };
    const socket = io(address, { transports: ['websocket'], reconnection: false, auth: { ticket } });
    await new Promise((resolve) => socket.once('connect', () => resolve(null)));
    const idOf = async (name: Subject) => (await sessionsFor('SA', `users=${userId(name)}`))[0]!._id;
    expect((await sessionsFor('SA', `users=${userId('U1')}`))[0]).toMatchObject({ pages: 1 });
    const [u1, sa] = [await idOf('U1'), await idOf('SA')];
    const end = (by: Subject, ids: string) =>
      asUser(by).inject({ method: 'DELETE', url: `/api/sessions?sessions=${ids}` });
    expect((await end('A2', `${u1},${sa}`)).statusCode).toBe(403);
    expect((await end('A2', `${u1},${crypto.randomUUID()}`)).statusCode).toBe(404);
    expect(socket.connected).toBe(true);

    const closed = new Promise((resolve) => socket.once('disconnect', () => resolve(performance.now())));
    const from = performance.now();
    expect((await end('A2', u1)).statusCode).toBe(200);

    expect(Number(await closed) - from).toBeLessThan(1000);
    expect((await asUser('U1').inject({ method: 'GET', url: '/api/users/authenticated' })).statusCode).toBe(401);
    const [row] = await rowsFor('SA', `item=${userId('U1')}&kinds=session`);
    expect(row).toMatchObject({ action: 'user.endSession', user: { username: 'A2' } });
  });
});
