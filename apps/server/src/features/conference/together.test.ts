import type { SharedLive, SharedMission, SharedView, TogetherRoom } from '@osprey/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { conferenceClients } from '../../../test/conference-client.ts';
import { type EventSocket, eventSockets, until } from '../../../test/event-sockets.ts';
import { addMission } from '../../../test/missions.ts';
import { addPlatform } from '../../../test/platforms.ts';
import { type Subject, testServer } from '../../../test/server.ts';

const server = await testServer();
const address = await server.listen();
const { db, groups } = server;
const { ask, joined, closeAll } = conferenceClients(server, address);
const pages = eventSockets(server, address);
afterEach(async () => {
  closeAll();
  pages.closeAll();
  await db.deleteFrom('rooms').execute();
});

/** A bound on an idle machine; a busy one has three times that. */
const slack = process.env.OSPREY_FIGURES ? 1 : 3;

async function makeRoom(usergroups: string[]): Promise<string> {
  const fields = { name: 'Bridge', usergroups, emptyTimeout: 300, maxParticipants: 6 };
  return ((await ask('SA', 'POST', '/rooms', fields)).json() as { _id: string })._id;
}

async function mission(label: number, shared: readonly (keyof typeof groups)[]): Promise<string> {
  const id = await addMission(db, { classification: label, audience: 'groups', state: 'Ready' });
  const links = shared.map((group) => ({ mission_id: id, usergroup_id: groups[group] }));
  await db.insertInto('mission_usergroups').values(links).execute();
  return id;
}

const viewOf = (missionId: string, change: Partial<SharedMission> = {}): SharedMission => ({
  ...{ mission: missionId, sensor: null, shown: null, timeUs: 1_700_000_000_000_000 },
  ...{ playing: false, waiting: false, speed: 1, map: null },
  ...change,
});

/** A member of the room, with an open page. */
async function present(who: Subject): Promise<EventSocket> {
  await joined(who, 'Bridge');
  return opened(who);
}

async function opened(who: Subject): Promise<EventSocket> {
  const page = await pages.connected(who);
  page.socket.emit('Together', { command: 'watch' });
  return page;
}

const roomsOf = (page: EventSocket): TogetherRoom[] =>
  (page.named('together').at(-1)?.payload as { rooms: TogetherRoom[] } | undefined)?.rooms ?? [];
const viewsOf = (page: EventSocket) =>
  page.named('togetherView').map(({ payload }) => (payload as { view: SharedView | null }).view);
const pointersOf = (page: EventSocket) => page.named('togetherPoint').map(({ payload }) => payload);

async function begin(page: EventSocket, command: 'lead' | 'follow', room: string): Promise<void> {
  page.socket.emit('Together', { command, room });
  await until(() => roomsOf(page)[0]?.page === (command === 'lead' ? 'leads' : 'follows'));
}

const show = (page: EventSocket, room: string, view: SharedView | null) =>
  page.socket.emit('TogetherShow', { room, view });

describe('the leader of a room', () => {
  it('is followed within 500 ms by each page that may read the mission, and by no other', async () => {
    const room = await makeRoom(['Demo']);
    const [own, hidden] = [await mission(1, ['G1']), await mission(1, ['G2'])];
    const [leader, reader, stranger] = [await present('SA'), await present('U1'), await present('U0')];
    const bystander = await present('GA');
    await begin(leader, 'lead', room);
    await begin(reader, 'follow', room);
    await begin(stranger, 'follow', room);
    expect(roomsOf(bystander)[0]).toMatchObject({ name: 'Bridge', leader: 'SA', page: 'neither' });

    const map = { center: [24.9, 37.5] as [number, number], zoom: 11, bearing: 0, pitch: 0 };
    const began = performance.now();
    show(leader, room, viewOf(own, { playing: true, speed: 2, map }));
    await until(() => viewsOf(reader).length > 0);
    const tookMs = performance.now() - began;

    expect(viewsOf(reader)).toEqual([viewOf(own, { playing: true, speed: 2, map })]);
    expect(tookMs).toBeLessThan(500 * slack);
    show(leader, room, viewOf(hidden));
    await until(() => viewsOf(reader).length > 1);
    // A hidden view looks like none.
    expect(viewsOf(reader)[1]).toBe(null);
    show(leader, room, null);
    show(leader, room, viewOf(own));
    await until(() => viewsOf(reader).length > 2);
    expect(viewsOf(reader)).toHaveLength(3);
    expect(viewsOf(stranger)).toEqual([]);
    expect(viewsOf(bystander)).toEqual([]);
    expect(roomsOf(stranger)).toEqual([{ ...roomsOf(bystander)[0], page: 'follows' }]);
  });

  it('is refused a mission above the label of the room, with its label, and it is shown to no member', async () => {
    const room = await makeRoom(['G1', 'G2']);
    const [secret, fitting] = [await mission(4, ['G2']), await mission(3, ['G2'])];
    const [leader, cleared] = [await present('SA'), await present('U2')];
    await begin(leader, 'lead', room);
    await begin(cleared, 'follow', room);

    show(leader, room, viewOf(secret));
    await until(() => roomsOf(leader)[0]?.refused === 'SECRET');

    expect(roomsOf(leader)[0]).toMatchObject({ securityClassification: 'CONFIDENTIAL', page: 'leads' });
    expect(roomsOf(cleared)[0]).toMatchObject({ refused: null });
    show(leader, room, viewOf(fitting));
    await until(() => viewsOf(cleared).length > 0 && roomsOf(leader)[0]?.refused === null);
    expect(viewsOf(cleared)).toEqual([viewOf(fitting)]);
    // The label of the mission rises while they look at it.
    await db.updateTable('missions').set({ classification: 4 }).where('id', '=', fitting).execute();
    await until(() => viewsOf(cleared).at(-1) === null && roomsOf(leader)[0]?.refused === 'SECRET');
  });

  it('is the member who began last, and the views of other pages count for nothing', async () => {
    const room = await makeRoom(['G1']);
    const own = await mission(1, ['G1']);
    const [first, second, reader] = [await present('SA'), await present('GA'), await present('U1')];
    await begin(first, 'lead', room);
    await begin(reader, 'follow', room);
    await begin(second, 'lead', room);
    await until(() => roomsOf(first)[0]?.page === 'neither' && roomsOf(reader)[0]?.leader === 'GA');

    show(first, room, viewOf(own, { timeUs: 1 }));
    show(reader, room, viewOf(own, { timeUs: 2 }));
    show(second, room, viewOf(own, { timeUs: 3 }));
    await until(() => viewsOf(reader).length > 0);

    expect(viewsOf(reader).map((view) => view && 'timeUs' in view && view.timeUs)).toEqual([3]);
    second.socket.disconnect();
    await until(() => viewsOf(reader).at(-1) === null && roomsOf(reader)[0]?.leader === null);
  });

  it('is a member of the room, and only members follow', async () => {
    const room = await makeRoom(['G1']);
    const own = await mission(1, ['G1']);
    const [leader, outside] = [await present('SA'), await opened('U1')];
    await begin(leader, 'lead', room);
    outside.socket.emit('Together', { command: 'follow', room });
    show(leader, room, viewOf(own));
    outside.socket.emit('Together', { command: 'lead', room });
    const inside = await present('GA');
    await begin(inside, 'follow', room);
    await until(() => viewsOf(inside).length > 0);

    expect(roomsOf(inside)[0]?.leader).toBe('SA');
    expect([viewsOf(outside), outside.named('together')]).toEqual([[], []]);
  });
});

/** Sensors of a new platform. */
async function sensorsOf(requested: Parameters<typeof addPlatform>[1]): Promise<string[]> {
  const id = await addPlatform(db, requested);
  const rows = await db.selectFrom('platform_sensors').select('id').where('platform_id', '=', id).execute();
  return rows.map((row) => row.id);
}

const liveOf = (live: string[], change: Partial<SharedLive> = {}): SharedLive => ({
  ...{ live, sensor: null, playing: true, behindS: 0, map: null },
  ...change,
});

describe('the live page of a leader', () => {
  it('is followed by those who may watch a platform of it, each with the sensors that they may', async () => {
    const room = await makeRoom(['Demo']);
    const [eo] = await sensorsOf({ audience: 'everyone' });
    const [hidden] = await sensorsOf({ usergroups: [groups.G2] });
    const [leader, reader] = [await present('SA'), await present('U1')];
    await begin(leader, 'lead', room);
    await begin(reader, 'follow', room);

    show(leader, room, liveOf([hidden!]));
    show(leader, room, liveOf([eo!, hidden!], { sensor: hidden!, behindS: 30 }));
    await until(() => viewsOf(reader).length > 0);
    expect(viewsOf(reader)).toEqual([liveOf([eo!], { behindS: 30 })]);

    const pointed = (sensor: string) => ({ on: 'picture', sensor, x: 0.5, y: 0.5 });
    leader.socket.emit('TogetherPoint', { room, mission: null, at: pointed(hidden!) });
    leader.socket.emit('TogetherPoint', { room, mission: null, at: pointed(eo!) });
    await until(() => pointersOf(reader).length > 0);
    expect(pointersOf(reader)).toEqual([{ room, mission: null, by: 'SA', at: pointed(eo!) }]);

    const began = performance.now();
    await db.updateTable('platforms').set({ audience: 'groups' }).where('audience', '=', 'everyone').execute();
    await until(() => viewsOf(reader).at(-1) === null);
    expect(performance.now() - began).toBeLessThan(1000 * slack);
  });

  it('is refused with a platform above the label of the room', async () => {
    const room = await makeRoom(['G1']);
    const [open] = await sensorsOf({ audience: 'everyone' });
    const [secret] = await sensorsOf({ classification: 4, usergroups: [groups.G1] });
    const [leader, reader] = [await present('SA'), await present('GA')];
    await begin(leader, 'lead', room);
    await begin(reader, 'follow', room);

    show(leader, room, liveOf([open!, secret!]));
    await until(() => roomsOf(leader)[0]?.refused === 'SECRET');
    show(leader, room, liveOf([open!]));
    await until(() => viewsOf(reader).length > 0 && roomsOf(leader)[0]?.refused === null);

    expect(viewsOf(reader)).toEqual([liveOf([open!])]);
  });
});

describe('rights that go while somebody follows', () => {
  it.each<[string, (own: string) => Promise<unknown>]>([
    ['to the mission', (own) => db.updateTable('missions').set({ deleted_time: 1 }).where('id', '=', own).execute()],
    [
      'by a lower clearance',
      () => db.updateTable('users').set({ clearance: 1 }).where('id', '=', server.userId('U1')).execute(),
    ],
    ['to the room', () => db.deleteFrom('room_usergroups').where('usergroup_id', '=', groups.G1).execute()],
  ])('%s: nothing is shown any more within 1 s', async (_, lose) => {
    const room = await makeRoom(['G1']);
    const own = await mission(3, ['G1']);
    const [leader, reader] = [await present('SA'), await present('U1')];
    await begin(leader, 'lead', room);
    await begin(reader, 'follow', room);
    show(leader, room, viewOf(own));
    await until(() => viewsOf(reader).length > 0);

    const began = performance.now();
    await lose(own);
    await until(() => viewsOf(reader).at(-1) === null);
    const tookMs = performance.now() - began;
    show(leader, room, viewOf(own, { timeUs: 5 }));
    leader.socket.emit('Together', { command: 'watch' });
    await until(() => leader.named('together').length > 0);

    expect(viewsOf(reader)).toHaveLength(2);
    expect(tookMs).toBeLessThan(1000 * slack);
    await db.updateTable('users').set({ clearance: 3 }).where('id', '=', server.userId('U1')).execute();
  });
});

describe('a pointer', () => {
  it('is shown to all who look at the mission, the leader too, under the name of the account', async () => {
    const room = await makeRoom(['Demo']);
    const [own, other] = [await mission(1, ['G1']), await mission(1, ['G1'])];
    const [leader, reader, friend, stranger] = [
      await present('SA'),
      await present('U1'),
      await present('GA'),
      await present('U0'),
    ];
    await begin(leader, 'lead', room);
    for (const page of [reader, friend, stranger]) await begin(page, 'follow', room);
    show(leader, room, viewOf(own));
    await until(() => viewsOf(reader).length > 0 && viewsOf(friend).length > 0);

    const at = { on: 'map', lon: 24.93, lat: 37.52 };
    stranger.socket.emit('TogetherPoint', { room, mission: own, at });
    reader.socket.emit('TogetherPoint', { room, mission: other, at });
    reader.socket.emit('TogetherPoint', { room, mission: own, at });
    await until(() => pointersOf(leader).length > 0 && pointersOf(friend).length > 0);

    const received = { room, mission: own, by: 'U1', at };
    expect([pointersOf(leader), pointersOf(friend)]).toEqual([[received], [received]]);
    expect([pointersOf(reader), pointersOf(stranger)]).toEqual([[], []]);
  });
});

const ID = '00000000-0000-4000-8000-000000000001';

it.each<[string, string, unknown]>([
  ['Together', 'null', null],
  ['Together', 'a command without a room', { command: 'lead' }],
  ['Together', 'a room by its name', { command: 'lead', room: 'Bridge' }],
  ['TogetherShow', 'half a view', { room: ID, view: { mission: ID } }],
  ['TogetherShow', 'a field more', { room: ID, view: { ...viewOf(ID), more: 1 } }],
  ['TogetherShow', 'no speed', { room: ID, view: viewOf(ID, { speed: Number.NaN }) }],
  ['TogetherShow', 'a mission that is live', { room: ID, view: { ...viewOf(ID), live: [ID] } }],
  ['TogetherShow', 'too many live sensors', { room: ID, view: liveOf([ID, ID, ID, ID, ID]) }],
  ['TogetherShow', 'a moment in the future', { room: ID, view: liveOf([ID], { behindS: -1 }) }],
  ['TogetherShow', 'too many sensors', { room: ID, view: viewOf(ID, { shown: [ID, ID, ID, ID, ID] }) }],
  ['TogetherPoint', 'a place beside the earth', { room: ID, mission: ID, at: { on: 'map', lon: 900, lat: 0 } }],
  ['TogetherPoint', '40 kB', { room: 'x'.repeat(40_000), mission: ID, at: null }],
])('%s with %s is answered as not understood', async (name, _, message) => {
  const page = await pages.connected('U1');

  page.socket.emit(name, message);
  await until(() => page.named('error').length > 0);

  expect(page.named('error')[0]?.payload).toEqual({
    text: 'A message of this page was not understood, please reload it.',
  });
});
