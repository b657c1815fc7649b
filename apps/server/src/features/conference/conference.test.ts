import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Room } from '@osprey/contract';
import { TokenVerifier } from 'livekit-server-sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { conferenceClients, conferenceKey } from '../../../test/conference-client.ts';
import { eventSockets, until } from '../../../test/event-sockets.ts';
import { type Subject, testServer } from '../../../test/server.ts';
import { conferenceRooms } from './rooms.ts';

let laterMs = 0;
const server = await testServer({
  clock: { nowMs: () => performance.now() + laterMs, nowUs: () => (Date.now() + laterMs) * 1000 },
});
const address = await server.listen();
const { db, groups } = server;
const { ask, tokenOf, socketWith, joined, closeAll } = conferenceClients(server, address);
const events = eventSockets(server, address);
afterEach(async () => {
  closeAll();
  events.closeAll();
  await db.deleteFrom('rooms').execute();
});

const fields = { usergroups: ['G1'], emptyTimeout: 300, maxParticipants: 6 };
const make = (name: string, change: object = {}, who: Subject = 'A2') =>
  ask(who, 'POST', '/rooms', { ...fields, name, ...change });
const namesFor = async (who: Subject) => ((await ask(who, 'GET', '/rooms')).json() as Room[]).map(({ name }) => name);
const actions = async () =>
  (await db.selectFrom('audit').select(['action']).where('action', 'like', 'room.%').orderBy('seq').execute()).map(
    ({ action }) => action,
  );
const countsOf = (client: { named: (name: string) => { payload: unknown }[] }) =>
  client.named('conferencesCount').map(({ payload }) => (payload as { conferencesCount: number }).conferencesCount);

async function moveToGroups(who: Subject, names: readonly (keyof typeof groups)[]): Promise<void> {
  const user_id = server.userId(who);
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('user_usergroups').where('user_id', '=', user_id).execute();
    await tx
      .insertInto('user_usergroups')
      .values(names.map((name) => ({ user_id, usergroup_id: groups[name] })))
      .execute();
  });
}

describe('rooms', () => {
  it('are listed with the label of the lowest ceiling of their usergroups, to those who may read them', async () => {
    const answer = await make('Bridge', { usergroups: ['G1', 'G2'] }, 'SA');

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      name: 'Bridge',
      usergroups: ['G1', 'G2'],
      securityClassification: 'CONFIDENTIAL',
      ...{ emptyTimeout: 300, maxParticipants: 6, maker: 'SA', participants: 0, mayDelete: true },
    });
    expect(await namesFor('U1')).toEqual(['Bridge']);
    // A2 is in G1, and cleared for RESTRICTED alone.
    expect(await namesFor('A2')).toEqual([]);
    expect(await namesFor('U0')).toEqual([]);
    const [seen] = (await ask('U2', 'GET', '/rooms')).json() as Room[];
    expect(seen).toMatchObject({ usergroups: ['G2'], mayDelete: false });
  });

  it('follow the ceilings of their usergroups, also where one of these is deleted', async () => {
    await make('Bridge', { usergroups: ['G1', 'G2'] }, 'SA');
    const labelOf = async () => ((await ask('SA', 'GET', '/rooms')).json() as Room[])[0]?.securityClassification;

    await db.updateTable('usergroups').set({ classification: 2 }).where('id', '=', groups.G1).execute();
    expect(await labelOf()).toBe('RESTRICTED');
    await db.updateTable('usergroups').set({ classification: 3 }).where('id', '=', groups.G1).execute();
    expect(await labelOf()).toBe('CONFIDENTIAL');
    await db.deleteFrom('room_usergroups').where('usergroup_id', '=', groups.G1).execute();
    expect(await labelOf()).toBe('TOP SECRET');
  });

  it('T-096 are made and deleted by superAdmin and admin alone, with an idle timeout and room for members', async () => {
    await make('Bridge', { usergroups: ['Demo'] });
    for (const who of ['GA', 'U1', 'guest'] as const) {
      expect((await make('Other', { usergroups: ['Demo'] }, who)).statusCode).toBe(403);
      expect((await ask(who, 'DELETE', '/rooms/Bridge')).statusCode).toBe(403);
    }
    for (const wrong of [{ emptyTimeout: 299 }, { maxParticipants: 0 }, { maxParticipants: 1.5 }, { usergroups: [] }]) {
      expect((await make('Other', { usergroups: ['Demo'], ...wrong })).statusCode).toBe(400);
    }

    const crowd = await make('Other', { usergroups: ['Demo'], maxParticipants: 7 });
    expect([crowd.statusCode, crowd.json()]).toMatchObject([422, { code: 'ruleRefused' }]);
    expect((await ask('A2', 'DELETE', '/rooms/Bridge')).json()).toEqual({ message: 'Room Bridge deleted.' });
    expect(await namesFor('SA')).toEqual([]);
  });

  it('refuse a name that the maker can see, and groups that the maker does not know', async () => {
    await make('Bridge', { usergroups: ['G2'] }, 'SA');
    expect((await make('Bridge', { usergroups: ['Demo'] }, 'SA')).json()).toMatchObject({
      code: 'roomNameTaken',
      text: 'Room Bridge already exists',
    });

    // A2 cannot see the room of G2: another answer would reveal it.
    expect((await make('Bridge', { usergroups: ['Demo'] })).statusCode).toBe(200);
    expect((await make('Other', { usergroups: ['Demo', 'Nobody'] })).json()).toMatchObject({
      code: 'unknownUsergroup',
    });
    const both = await ask('SA', 'DELETE', '/rooms/Bridge');
    expect([both.statusCode, both.json()]).toMatchObject([409, { code: 'roomNameAmbiguous' }]);
    for (const { _id } of (await ask('SA', 'GET', '/rooms')).json() as Room[]) {
      expect((await ask('SA', 'DELETE', `/rooms/${_id}`)).statusCode).toBe(200);
    }
  });

  it('that would be hidden from their maker are refused', async () => {
    const outside = await make('Other', { usergroups: ['G2'] });

    expect(outside.statusCode).toBe(403);
    expect((await make('Other', { usergroups: ['G1'] })).statusCode).toBe(403);
  });
});

it('answers the calls that list, make and delete rooms, and give a token to join', async () => {
  const answers = [
    await make('Bridge', { usergroups: ['Demo'] }, 'SA'),
    await ask('SA', 'GET', '/rooms'),
    await ask('SA', 'POST', '/token', { name: 'Bridge', participantName: 'SA' }),
    await ask('SA', 'DELETE', '/rooms/Bridge'),
  ];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]); // S2-519
  expect(answers[1]!.json()).toMatchObject([{ name: 'Bridge' }]);
});

describe('joining', () => {
  it('T-095 is for those who may read the room: hidden answers as absent, and guests have no conferences', async () => {
    await make('Bridge', {}, 'SA');
    await make('Hall', { usergroups: ['Demo'] }, 'SA');
    const statusFor = async (who: Subject, name: string) =>
      (await ask(who, 'POST', '/token', { name, participantName: who })).statusCode;

    expect((await ask('U1', 'POST', '/token', { name: 'Bridge', participantName: 'Uma' })).json()).toMatchObject({
      token: expect.stringMatching(/^[\w.-]{20,}$/),
    }); // S2-441
    const [hidden, absent] = await Promise.all(
      ['Bridge', 'Nowhere'].map((name) => ask('U2', 'POST', '/token', { name, participantName: 'U2' })),
    );
    expect([hidden?.statusCode, hidden?.body]).toEqual([404, absent?.body]);
    expect((await ask('U2', 'DELETE', '/rooms/Bridge')).statusCode).toBe(404);
    expect((await ask('guest', 'GET', '/rooms')).statusCode).toBe(403);
    expect(await statusFor('guest', 'Hall')).toBe(403);
  });

  it('T-095 takes a token once, within 60 s, and as long as the rights are those that it was given for', async () => {
    await make('Bridge', {}, 'SA');
    const used = await tokenOf('U1', 'Bridge');
    const first = socketWith({ token: used, key: conferenceKey });
    await until(() => first.of('welcome').length > 0);
    const old = await tokenOf('U1', 'Bridge');
    laterMs += 61_000;
    const early = await tokenOf('U1', 'Bridge');
    const page = await events.connected('U1');
    await moveToGroups('U1', ['Demo', 'G1']);
    await until(() => page.named('revoked').length > 0);

    for (const token of [used, old, early, 'x']) {
      const refused = socketWith({ token, key: conferenceKey });
      await refused.closed;
      expect(refused.received.map((message) => (message.kind === 'end' ? message.reason : message))).toEqual(['again']);
    }
    const foreign = socketWith(
      { token: await tokenOf('U1', 'Bridge'), key: conferenceKey },
      { origin: 'http://evil.example' },
    );
    await foreign.closed;
    expect(foreign.received).toEqual([]);
  });

  it('T-095 takes no token of a session that was logged out since', async () => {
    await make('Bridge', {}, 'SA');
    const headers = await server.limited('U1', 'TOP SECRET');
    const payload = { name: 'Bridge', participantName: 'U1' };
    const answer = await server.inject({ method: 'POST', url: '/api/conference/token', headers, payload });
    await server.inject({ method: 'POST', url: '/api/logout', headers });

    const late = socketWith({ token: (answer.json() as { token: string }).token, key: conferenceKey });
    await late.closed;

    expect(late.received.map(({ kind }) => kind)).toEqual(['end']);
  });

  it('shows each the others and passes sealed words on to the one they are for, under the name of the account', async () => {
    await make('Bridge', {}, 'SA');
    const [one, two, three] = [
      await joined('U1', 'Bridge'),
      await joined('GA', 'Bridge'),
      await joined('SA', 'Bridge'),
    ];

    expect(three.welcome.members.map(({ name }) => name)).toEqual(['U1', 'GA', 'SA']);
    expect(three.welcome.room).toMatchObject({ name: 'Bridge', securityClassification: 'CONFIDENTIAL' });
    expect(one.of('joined').map(({ member }) => member.name)).toEqual(['GA', 'SA']);
    two.send({ to: one.welcome.self, data: 'c2VhbGVk' });
    await until(() => one.of('relay').length > 0);
    expect(one.of('relay')).toEqual([{ kind: 'relay', from: two.welcome.self, data: 'c2VhbGVk' }]);
    expect(three.of('relay')).toEqual([]);

    two.socket.close();
    await until(() => one.of('left').length > 0 && three.of('left').length > 0);
    expect(one.of('left')).toEqual([{ kind: 'left', id: two.welcome.self, reason: 'left' }]);
  });

  it('reaches no member of another room', async () => {
    await make('Bridge', {}, 'SA');
    await make('Hall', {}, 'SA');
    const [one, two, friend] = [await joined('U1', 'Bridge'), await joined('GA', 'Hall'), await joined('SA', 'Hall')];

    two.send({ to: one.welcome.self, data: 'c2VhbGVk' });
    two.send({ to: friend.welcome.self, data: 'b3Blbg' });
    await until(() => friend.of('relay').length > 0);

    expect(one.of('relay')).toEqual([]);
    expect(one.of('joined')).toEqual([]);
  });

  it('of one account in a second window leaves the older one', async () => {
    await make('Bridge', { maxParticipants: 2 }, 'SA');
    const [older, other] = [await joined('U1', 'Bridge'), await joined('GA', 'Bridge')];

    const newer = await joined('U1', 'Bridge');
    await older.closed;

    expect(older.of('end').map(({ reason }) => reason)).toEqual(['elsewhere']);
    expect(other.of('left')).toEqual([{ kind: 'left', id: older.welcome.self, reason: 'elsewhere' }]);
    expect(newer.welcome.members.map(({ name }) => name)).toEqual(['GA', 'U1']);
  });

  it('a full room is refused with the reason, before the token and after it', async () => {
    await make('Bridge', { maxParticipants: 1 }, 'SA');
    const late = await tokenOf('GA', 'Bridge');
    await joined('U1', 'Bridge');

    const answer = await ask('SA', 'POST', '/token', { name: 'Bridge', participantName: 'SA' });
    const refused = socketWith({ token: late, key: conferenceKey });
    await refused.closed;

    const text = 'Room Bridge is full: 1 people are in it. Please try again when somebody has left.';
    expect([answer.statusCode, answer.json()]).toMatchObject([409, { text }]);
    expect(refused.received).toEqual([{ kind: 'end', text, reason: 'refused' }]);
  });

  it.each(['no json', '[]', JSON.stringify({ token: 'x' }), JSON.stringify({ token: 'x', key: 'short' })])(
    'is refused with the first message %s',
    async (hello) => {
      const client = socketWith(hello);
      await client.closed;
      expect(client.of('end').map(({ reason }) => reason)).toEqual(['refused']);
    },
  );
});

describe('rights that go', () => {
  it('T-097 end the membership within 1 s, name it to the others, and leave no way back', async () => {
    await make('Bridge', {}, 'SA');
    const [lost, other] = [await joined('U1', 'Bridge'), await joined('GA', 'Bridge')];
    const kept = await tokenOf('U1', 'Bridge');

    const began = performance.now();
    await moveToGroups('U1', ['Demo']);
    await until(() => other.of('left').length > 0);
    const tookMs = performance.now() - began;

    expect(other.of('left')).toEqual([{ kind: 'left', id: lost.welcome.self, reason: 'removed' }]);
    expect(tookMs).toBeLessThan(process.env.OSPREY_FIGURES ? 1000 : 3000);
    await lost.closed;
    expect(lost.of('end').map(({ reason }) => reason)).toEqual(['removed']);
    const back = socketWith({ token: kept, key: conferenceKey });
    await back.closed;
    expect(back.of('welcome')).toEqual([]);
    expect((await ask('U1', 'POST', '/token', { name: 'Bridge', participantName: 'U1' })).statusCode).toBe(404);
    expect(other.of('joined')).toEqual([]);
    await moveToGroups('U1', ['Demo', 'G1']);
  });

  it('take everybody out of a room that is deleted', async () => {
    await make('Bridge', {}, 'SA');
    const inside = await joined('U1', 'Bridge');

    await ask('SA', 'DELETE', '/rooms/Bridge');
    await inside.closed;

    expect(inside.of('end').map(({ reason }) => reason)).toEqual(['removed']);
  });
});

describe('the count of conferences', () => {
  it('T-095 is of occupied rooms that the reader may join', async () => {
    await make('Bridge', {}, 'SA');
    await make('Empty', {}, 'SA');
    const [insider, outsider, guest] = [
      await events.connected('GA'),
      await events.connected('U2'),
      await events.connected('guest'),
    ];
    const first = await joined('U1', 'Bridge');
    await until(() => countsOf(insider).at(-1) === 1);
    const late = await events.connected('SA');
    await until(() => countsOf(late).at(-1) === 1);
    first.socket.close();
    await until(() => countsOf(insider).at(-1) === 0 && countsOf(late).at(-1) === 0);

    expect(new Set(countsOf(outsider))).toEqual(new Set([0]));
    expect(countsOf(guest)).toEqual([]);
    expect(outsider.named('rooms')).toEqual([]);
  });
});

describe('an idle room', () => {
  it('goes its timeout after the last one left, and not before its first member came', async () => {
    await make('Used', {}, 'SA');
    await make('Unused', {}, 'SA');
    const only = await joined('U1', 'Used');
    laterMs += 400_000;
    await server.conference.expire();
    expect(await namesFor('SA')).toEqual(['Unused', 'Used']);

    only.socket.close();
    const emptySince = () => db.selectFrom('rooms').select('empty_since').where('name', '=', 'Used').executeTakeFirst();
    await expect.poll(async () => (await emptySince())?.empty_since).not.toBeNull();
    laterMs += 299_000;
    await server.conference.expire();
    expect(await namesFor('SA')).toEqual(['Unused', 'Used']);
    laterMs += 2000;
    await server.conference.expire();
    expect(await namesFor('SA')).toEqual(['Unused']);
  });

  it('outlives the server: after a start all are empty, and the idle time of used ones begins', async () => {
    await make('Used', {}, 'SA');
    await make('Unused', {}, 'SA');
    await db.updateTable('rooms').set({ used: true, empty_since: null }).where('name', '=', 'Used').execute();
    const verbs = { create: 'room.create', delete: 'room.delete' } as const;
    const nowUs = () => (Date.now() + laterMs) * 1000;

    await conferenceRooms({ db, items: server.dependencies.items, nowUs, participantsMax: 6, verbs }).allEmpty();

    await server.conference.expire();
    expect(await namesFor('SA')).toEqual(['Unused', 'Used']);
    laterMs += 301_000;
    await server.conference.expire();
    expect(await namesFor('SA')).toEqual(['Unused']);
  });
});

it('are audited from the making to the removal, without any content', async () => {
  const before = (await actions()).length;
  await make('Bridge', {}, 'SA');
  const one = await joined('U1', 'Bridge');
  one.socket.close();
  await expect.poll(async () => (await actions()).at(-1)).toBe('room.leave');
  await ask('SA', 'DELETE', '/rooms/Bridge');

  expect((await actions()).slice(before)).toEqual([
    'room.create',
    'room.token',
    'room.join',
    'room.leave',
    'room.delete',
  ]);
});

describe('an installation', () => {
  it('without conferences answers no call and opens no socket', async () => {
    const without = await testServer({ config: { conference: false } });
    const clients = conferenceClients(without, await without.listen());

    const answers = [
      await clients.ask('SA', 'GET', '/rooms'),
      await clients.ask('SA', 'POST', '/rooms', { ...fields, name: 'Bridge' }),
      await clients.ask('SA', 'DELETE', '/rooms/Bridge'),
      await clients.ask('SA', 'POST', '/token', { name: 'Bridge', participantName: 'SA' }),
    ];
    const socket = clients.socketWith({ token: 'x', key: conferenceKey });
    await socket.closed;

    expect(answers.map((answer) => [answer.statusCode, (answer.json() as { code: string }).code])).toEqual(
      answers.map(() => [404, 'conferenceOff']),
    );
    expect(socket.received).toEqual([]);
  });

  it('may let groupAdmins make and delete rooms of the usergroups that they administer', async () => {
    const widened = await testServer({ config: { conferenceCreate: 'groupAdmins' } });
    const clients = conferenceClients(widened, await widened.listen());
    const makeIn = (who: Subject, name: string, usergroups: string[]) =>
      clients.ask(who, 'POST', '/rooms', { ...fields, name, usergroups });

    expect((await makeIn('GA', 'Own', ['G1'])).json()).toMatchObject({ mayDelete: true });
    expect((await makeIn('GA', 'Shared', ['G1', 'Demo'])).statusCode).toBe(403);
    expect((await makeIn('U1', 'Mine', ['G1'])).statusCode).toBe(403);
    await makeIn('SA', 'Hall', ['Demo']);
    expect((await clients.ask('GA', 'DELETE', '/rooms/Hall')).statusCode).toBe(403);
    expect((await clients.ask('GA', 'DELETE', '/rooms/Own')).statusCode).toBe(200);
  });
});

describe('with a LiveKit server', () => {
  const [key, secret] = ['osprey', 'a secret of at least thirty-two characters'];
  const asked: { call: string; body: Record<string, unknown>; isSigned: boolean }[] = [];
  // A server that answers as LiveKit's room service does: by Twirp, JSON over HTTP.
  const livekit = createServer((request, answer) => {
    let text = '';
    request.on('data', (chunk) => {
      text += String(chunk);
    });
    request.on('end', async () => {
      const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
      const isSigned = await new TokenVerifier(key, secret).verify(token).then(
        () => true,
        () => false,
      );
      const body = JSON.parse(text) as Record<string, unknown>;
      asked.push({ call: request.url?.split('/').at(-1) ?? '', body, isSigned });
      answer.setHeader('content-type', 'application/json').end('{}');
    });
  });
  atEnd(() => livekit.close());

  it('T-097 a member gets a token for it, and who loses the right is removed there again and again', async () => {
    await new Promise<void>((resolve) => livekit.listen(0, '127.0.0.1', resolve));
    const livekitUrl = `ws://127.0.0.1:${(livekit.address() as AddressInfo).port}`;
    const large = await testServer({ config: { livekitUrl, livekitKey: key, livekitSecret: secret } });
    const clients = conferenceClients(large, await large.listen());
    const made = await clients.ask('SA', 'POST', '/rooms', { ...fields, name: 'Bridge', maxParticipants: 40 });
    expect(made.statusCode).toBe(200);
    const room = (made.json() as Room)._id;

    const inside = await clients.joined('U1', 'Bridge');
    const { media } = inside.welcome;
    expect(media).toMatchObject({ url: livekitUrl, page: null });
    const claims = await new TokenVerifier(key, secret).verify(media?.token ?? '');
    expect(claims).toMatchObject({ sub: 'U1', video: { room, roomJoin: true } });
    await large.db.deleteFrom('user_usergroups').where('user_id', '=', large.userId('U1')).execute();
    await large.db.updateTable('users').set({ clearance: 1 }).where('id', '=', large.userId('U1')).execute();
    await inside.closed;

    const removals = () => asked.filter(({ call }) => call === 'RemoveParticipant');
    await expect.poll(() => removals().length, { timeout: 10_000 }).toBeGreaterThan(1);
    expect(asked[0]).toMatchObject({ call: 'CreateRoom', body: { name: room, maxParticipants: 40 } });
    expect(removals()[0]?.body).toMatchObject({ room, identity: 'U1' });
    expect(asked.every(({ isSigned }) => isSigned)).toBe(true);
    await clients.ask('SA', 'DELETE', '/rooms/Bridge');
    expect(asked.at(-1)).toMatchObject({ call: 'DeleteRoom', body: { room } });
  });

  it('that does not answer, joining says so and may be tried again', async () => {
    const away = { livekitUrl: 'ws://127.0.0.1:1', livekitKey: key, livekitSecret: secret };
    const large = await testServer({ config: away });
    const clients = conferenceClients(large, await large.listen());
    await clients.ask('SA', 'POST', '/rooms', { ...fields, name: 'Bridge' });

    const refused = clients.socketWith({ token: await clients.tokenOf('U1', 'Bridge'), key: conferenceKey });
    await refused.closed;

    const text = 'The conference server does not answer. Please tell an administrator.';
    expect(refused.received).toEqual([{ kind: 'end', text, reason: 'again' }]);
  });
});
