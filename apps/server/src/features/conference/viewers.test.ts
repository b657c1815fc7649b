import { afterEach, expect, it } from 'vitest';
import { type EventSocket, eventSockets, until } from '../../../test/event-sockets.ts';
import { addMission } from '../../../test/missions.ts';
import { testServer } from '../../../test/server.ts';

const server = await testServer({ config: { conference: false } });
const address = await server.listen();
const { db, groups } = server;
const { connected, socketWith, closeAll } = eventSockets(server, address);
afterEach(closeAll);

const slack = process.env.OSPREY_FIGURES ? 1 : 3;

async function sharedWithG1(): Promise<string> {
  const id = await addMission(db, { classification: 3, audience: 'groups', state: 'Ready' });
  await db.insertInto('mission_usergroups').values({ mission_id: id, usergroup_id: groups.G1 }).execute();
  return id;
}

const viewing = (page: EventSocket, mission: string | null) => page.socket.emit('MissionLook', { mission });
const notifiedTo = (page: EventSocket) =>
  page.named('missionViewers').map(({ payload }) => (payload as { viewers: string[] }).viewers);

it('names to each who has a mission open the others who have it open, once for each account', async () => {
  const mission = await sharedWithG1();
  const [one, two, again] = [await connected('U1'), await connected('GA'), await connected('GA')];
  viewing(one, mission);
  viewing(two, mission);
  viewing(again, mission);
  await until(() => notifiedTo(one).length > 0 && notifiedTo(two).length > 0 && notifiedTo(again).length > 0);
  const late = await connected('SA');
  viewing(late, mission);
  await until(() => notifiedTo(late).length > 0 && notifiedTo(one).at(-1)?.length === 2);

  expect(notifiedTo(one).at(-1)).toEqual(['GA', 'SA']);
  expect(notifiedTo(late)).toEqual([['GA', 'U1']]);
  viewing(two, null);
  again.socket.disconnect();
  await until(() => notifiedTo(one).at(-1)?.length === 1);
  expect(notifiedTo(one).at(-1)).toEqual(['SA']);
  expect(two.named('missionViewers')[0]?.payload).toEqual({ mission, viewers: ['U1'] });
});

it('neither counts nor notifies accounts that cannot read the mission, and takes out within 1 s those that cannot any more', async () => {
  const mission = await sharedWithG1();
  const [reader, friend, stranger] = [await connected('U1'), await connected('GA'), await connected('U2')];
  viewing(stranger, mission);
  viewing(reader, mission);
  viewing(friend, mission);
  await until(() => notifiedTo(reader).length > 0 && notifiedTo(friend).length > 0);
  expect([notifiedTo(reader), notifiedTo(friend), notifiedTo(stranger)]).toEqual([[['GA']], [['U1']], []]);

  const began = performance.now();
  await db.updateTable('users').set({ clearance: 1 }).where('id', '=', server.userId('GA')).execute();
  await until(() => notifiedTo(reader).at(-1)?.length === 0 && notifiedTo(friend).at(-1)?.length === 0);

  expect(performance.now() - began).toBeLessThan(1000 * slack);
  await db.updateTable('users').set({ clearance: 3 }).where('id', '=', server.userId('GA')).execute();
  await until(() => notifiedTo(reader).at(-1)?.length === 1);
});

it('forgets a mission without viewers, and takes no message that is none', async () => {
  const page = await connected('U1');
  viewing(page, crypto.randomUUID());
  viewing(page, crypto.randomUUID());
  page.socket.emit('MissionLook', { mission: 'KEA-1104' });
  await until(() => page.named('error').length > 0);

  expect(notifiedTo(page)).toEqual([]);
});

it('T-118 neither counts nor notifies a session whose ceiling is below the mission, whatever its account reads', async () => {
  const mission = await sharedWithG1();
  const headers = await server.limited('GA', 'RESTRICTED');
  const { ticket } = (await server.inject({ method: 'POST', url: '/api/tickets', headers })).json();
  const limited = socketWith({ ticket });
  await new Promise<void>((resolve) => limited.socket.once('connect', resolve));
  const reader = await connected('U1');
  viewing(limited, mission);
  viewing(reader, mission);
  const late = await connected('SA');
  viewing(late, mission);
  await until(() => notifiedTo(late).length > 0);
  expect([notifiedTo(late), notifiedTo(limited)]).toEqual([[['U1']], []]);

  viewing(await connected('GA'), mission);

  await until(() => notifiedTo(reader).at(-1)?.length === 2);
  expect([notifiedTo(reader).at(-1), notifiedTo(limited)]).toEqual([['GA', 'SA'], []]);
});
