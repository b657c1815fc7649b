import { expect, it } from 'vitest';
import { addDocument } from '../../../test/documents.ts';
import { addMission, addSensor } from '../../../test/missions.ts';
import { addPlatform } from '../../../test/platforms.ts';
import { testServer } from '../../../test/server.ts';
import { items } from '../../compose/items.ts';
import { updateOf } from '../../media/ingest/flow.ts';
import { actorsById } from '../access/actors.ts';
import { openReads } from '../access/open-reads.ts';
import { audience, type Listener } from './audience.ts';
import { delivery } from './delivery.ts';

const server = await testServer();
const { db } = server;

type Reported = { name: string; payload: unknown };

/** An open page of this user, and all events that it gets. */
async function listeningAs(userId: string, credentialId: string | null = crypto.randomUUID()) {
  const people = audience();
  const reported: Reported[] = [];
  const listener: Listener = {
    userId,
    credentialId,
    ceiling: 'TOP SECRET',
    status: null,
    channels: new Set(),
    view: null,
    isBehind: () => false,
    emit: (name, payload) => reported.push({ name, payload }),
    close: () => reported.push({ name: 'closed', payload: null }),
  };
  people.join(listener, (await actorsById(db, [userId])).get(userId)!);
  return { people, reported };
}

it('T-036 asks a page to forget all items of a kind if more were lost than an event can name', async () => {
  const userId = server.userId('U2');
  const labelled = { classification: 4, audience: 'groups' } as const;
  const shared = [server.groups.G2];
  const missions = await Promise.all([1, 2, 3].map(() => addMission(db, { ...labelled, state: 'Ready' })));
  await db
    .insertInto('mission_usergroups')
    .values(missions.map((mission_id) => ({ mission_id, usergroup_id: server.groups.G2 })))
    .execute();
  const documents = [await addDocument(db, labelled, shared), await addDocument(db, labelled, shared)];
  const { people, reported } = await listeningAs(userId);
  const deliver = delivery({ db, items, audience: people, reads: openReads(), lostMax: 2 });

  await db.updateTable('users').set({ clearance: 1 }).where('id', '=', userId).execute();
  await deliver([{ user: userId, epoch: 1 }], []);

  const lost = reported.map(({ payload }) => payload as { noun: string; ids: string[] });
  expect(lost.map(({ ids, ...others }) => ({ ...others, ids: ids.length }))).toEqual([
    { noun: 'missions', ids: 0, all: true },
    { noun: 'documents', ids: 2 },
    { noun: 'session', ids: 1 },
  ]);
  expect(lost[1]?.ids.toSorted()).toEqual(documents.toSorted());
});

it('reports the progress of a file of a sensor in state Created only to those who may fill it', async () => {
  const mission = await addMission(db, { classification: 1, audience: 'groups', state: 'Ready' });
  await db.insertInto('mission_usergroups').values({ mission_id: mission, usergroup_id: server.groups.G1 }).execute();
  const sensor = await addSensor(db, mission, { name: 'Hidden', state: 'Created' });
  const [reader, filler] = [await listeningAs(server.userId('U1')), await listeningAs(server.userId('GA'))];
  const subject = { missionId: mission, missionName: 'Alpha', sensorId: sensor, sensorName: 'Hidden' };
  const update = updateOf(subject, { type: 'upload_progress', progress: 50 });
  const notify = async () => {
    for (const { people } of [reader, filler]) {
      await delivery({ db, items, audience: people, reads: openReads() })([], [{ kind: 'flow', update }]);
    }
  };

  await notify();
  expect([reader.reported.length, filler.reported.length]).toEqual([0, 1]);

  await db.updateTable('sensors').set({ state: 'Processing' }).where('id', '=', sensor).execute();
  await notify();
  expect([reader.reported.length, filler.reported.length]).toEqual([1, 2]);
});

it('closes a socket that the password alone opened when the password is changed, and no other', async () => {
  const userId = server.userId('U0');
  const [byPassword, bySession] = [await listeningAs(userId, null), await listeningAs(userId)];

  await db.updateTable('users').set({ password_hash: 'another' }).where('id', '=', userId).execute();
  for (const { people } of [byPassword, bySession]) {
    await delivery({ db, items, audience: people, reads: openReads() })([{ user: userId, epoch: 1 }], []);
  }

  const names = ({ reported }: { reported: Reported[] }) => reported.map(({ name }) => name);
  expect([names(byPassword), names(bySession)]).toEqual([['revoked', 'closed'], ['revoked']]);
});

it('leaves open what is opened while the rows of a notice are read, and ends what is no right of its user', async () => {
  const platform = await addPlatform(db, { usergroups: [server.groups.G1] });
  const reads = openReads();
  const ended: string[] = [];
  const open = (name: 'U1' | 'U2' | 'SA') => {
    const read = { userId: server.userId(name), credentialId: crypto.randomUUID(), itemId: platform };
    reads.add({
      ...read,
      ceiling: 'TOP SECRET',
      securityClassification: 'UNCLASSIFIED',
      close: () => ended.push(name),
    });
  };
  open('U1');
  let asked = 0;
  const users = () => {
    const existing = reads.users();
    if (++asked === 1) for (const late of ['SA', 'U2'] as const) open(late);
    return existing;
  };
  const deliver = delivery({ db, items, audience: audience(), reads: { ...reads, users } });

  await deliver([{ platform }], []);

  expect(ended).toEqual(['U2']);
  expect(reads.size()).toBe(2);
});

it('sends a hit of a saved search only to who may read the mission at the moment of sending', async () => {
  const [userId, group] = [server.userId('U1'), server.groups.G1];
  const missionId = await addMission(db, { classification: 3, audience: 'groups', state: 'Running' });
  await db.insertInto('mission_usergroups').values({ mission_id: missionId, usergroup_id: group }).execute();
  const { people, reported } = await listeningAs(userId);
  const deliver = delivery({ db, items, audience: people, reads: openReads() });
  const names = { search: 'Area 12', mission: 'Patrol', platform: 'PATROL-7', sensor: 'EO' };
  const ids = { _id: crypto.randomUUID(), searchId: crypto.randomUUID(), missionId, sensorId: crypto.randomUUID() };
  const label = { securityClassification: 'CONFIDENTIAL' as const, marked: true };
  const hit = { ...names, ...ids, ...label, first: 1, now: true };

  await deliver([], [{ kind: 'searchHit', user: userId, hit }]);
  expect(reported).toEqual([{ name: 'searchHit', payload: hit }]);
  await db.updateTable('users').set({ clearance: 2 }).where('id', '=', userId).execute();
  await deliver([], [{ kind: 'searchHit', user: userId, hit }]);
  await db.updateTable('users').set({ clearance: 3 }).where('id', '=', userId).execute();
  await db.updateTable('missions').set({ deleted_time: 1 }).where('id', '=', missionId).execute();
  await deliver([], [{ kind: 'searchHit', user: userId, hit }]);
  expect(reported.filter(({ name }) => name === 'searchHit')).toHaveLength(1);
});
