import type { BinnedMission, Mission } from '@osprey/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { waitingForLock } from '../../../test/database.ts';
import { addFile, addMission, addSensor } from '../../../test/missions.ts';
import { askAs } from '../../../test/recordings.ts';
import { type Subject, testServer } from '../../../test/server.ts';
import { BIN_US, missionBin } from './bin.ts';
import { removeDoomed } from './leftovers.ts';

const server = await testServer();
const { db, groups, dependencies } = server;
const ask = (who: Subject) => askAs(server, who);
const DAY_US = 24 * 3_600_000_000;

beforeEach(async () => {
  await db.deleteFrom('missions').execute();
});

/** A mission of G1, RESTRICTED, with one file. */
async function recorded(name: string, fields: Parameters<typeof addMission>[1] = {}) {
  const id = await addMission(db, { name, audience: 'groups', classification: 2, state: 'Ready', ...fields });
  await db.insertInto('mission_usergroups').values({ mission_id: id, usergroup_id: groups.G1 }).execute();
  const sensor = await addSensor(db, id, { state: 'Ready' });
  const key = `originals/${sensor}/${crypto.randomUUID()}.ts`;
  const { sizeBytes } = await dependencies.storage.put(key, [new Uint8Array(188)]);
  await dependencies.storage.put(`indexes/${sensor}/a.json`, [new Uint8Array(2)]);
  await dependencies.storage.put(`renditions/${sensor}/a.ts`, [new Uint8Array(2)]);
  await dependencies.storage.put(`pictures/${id}/${sensor}.jpg`, [new Uint8Array(2)]);
  const file = await addFile(db, sensor, { storage_key: key, size_bytes: sizeBytes });
  return { id, sensor, key, fileAddress: `/api/sensors/${sensor}/files/${file}` };
}

const binOf = async (who: Subject) => (await ask(who).get<BinnedMission[]>('/api/bin')).body;
const filesUnder = async (folder: string) => {
  const keys: string[] = [];
  for await (const { key } of dependencies.storage.list(folder)) keys.push(key);
  return keys;
};

describe('the bin', () => {
  it('T-064 holds a deleted mission for 30 days, with groups and label unchanged, for admins who could read it', async () => {
    const { id } = await recorded('Kea');
    await recorded('Secret', { classification: 4, deleted_time: dependencies.nowUs() });
    await ask('GA').delete('/api/missions', { missions: ['Kea'] });

    const [binned, ...others] = await binOf('A2');
    expect(others).toEqual([]);
    expect(binned).toMatchObject({
      _id: id,
      name: 'Kea',
      securityClassification: 'RESTRICTED',
      audience: 'groups',
      usergroups: ['G1'],
      sensors: 1,
      sizeBytes: 188,
      deletedBy: 'GA',
    });
    expect(binned!.endTime - binned!.deletedTime).toBe(30 * DAY_US);
    expect((await binOf('SA')).map(({ name }) => name).sort()).toEqual(['Kea', 'Secret']);

    expect((await ask('A2').post('/api/missions/restore', { missions: [id] })).status).toBe(200);
    const again = (await ask('U1').get<Mission>('/api/missions/Kea')).body;
    expect([again._id, again.securityClassification, again.usergroups]).toEqual([id, 'RESTRICTED', [groups.G1]]);
    expect((await ask('A2').get('/api/bin')).body).toEqual([]);
  });

  it('is closed to groupAdmins, users and the guest; a groupAdmin takes back only what they deleted', async () => {
    const own = await recorded('Own');
    const other = await recorded('Other');
    await ask('GA').delete('/api/missions', { missions: ['Own'] });
    await ask('A2').delete('/api/missions', { missions: ['Other'] });

    for (const who of ['GA', 'U1', 'guest'] as const) expect((await ask(who).get('/api/bin')).status, who).toBe(403);
    const refused = await ask('GA').post('/api/missions/restore', { missions: [other.id] });
    const absent = await ask('GA').post('/api/missions/restore', { missions: [crypto.randomUUID()] });
    expect([refused.status, refused.body]).toEqual([404, absent.body]);
    expect((await ask('GA').post('/api/missions/restore', { missions: [own.id] })).status).toBe(200);
  });

  it('hides what it holds everywhere else', async () => {
    const { id, sensor } = await recorded('Kea', { thumbnail: `${crypto.randomUUID()}.jpg` });
    await ask('SA').delete('/api/missions', { missions: ['Kea'] });

    for (const address of [
      '/api/missions/Kea',
      `/api/missions/${id}`,
      `/api/missions/area/${id}`,
      `/videos/${id}/${sensor}.jpg`,
      `/api/sensors?missionIdOrName=${id}`,
      `/api/media/${sensor}/index.m3u8`,
    ]) {
      expect((await ask('SA').get(address)).status, address).toBe(404);
    }
    const list = await ask('SA').get<Mission[]>('/api/missions/brief?limit=10&count=1');
    expect([list.body, list.headers['x-total-count']]).toEqual([[], '0']);
    expect((await ask('SA').post('/api/missions/export', { missions: [id] })).status).toBe(404);
  });

  it('is emptied before its time by the superAdmin alone, and then the files go', async () => {
    const { id, sensor, key } = await recorded('Kea');
    const retained = await recorded('Kept');
    await ask('SA').delete('/api/missions', { missions: ['Kea'] });

    expect((await ask('A2').delete('/api/bin', { missions: [id] })).status).toBe(403);
    expect((await ask('SA').delete('/api/bin', { missions: [id, retained.id] })).status).toBe(404);
    expect((await ask('SA').delete('/api/bin', { missions: [id] })).status).toBe(200);

    expect(await db.selectFrom('sensors').select('id').where('id', '=', sensor).execute()).toEqual([]);
    expect(await dependencies.storage.stat(key)).not.toBeNull();
    await removeDoomed({ db, storage: dependencies.storage });
    for (const top of ['originals', 'indexes', 'renditions', 'pictures']) {
      const folder = `${top}/${top === 'pictures' ? id : sensor}`;
      expect(await filesUnder(folder), folder).toEqual([]);
    }
    expect(await dependencies.storage.stat(retained.key)).not.toBeNull();
    const rows = await db.selectFrom('audit').selectAll().where('action', '=', 'bin.empty').execute();
    expect(rows.filter(({ decision }) => decision === 'allowed').map(({ item_id }) => item_id)).toEqual([id]);
  });

  it('is emptied by the worker after 30 days, not before', async () => {
    const now = dependencies.nowUs();
    const old = await recorded('Old', { deleted_time: now - BIN_US - 1_000_000 });
    const young = await recorded('Young', { deleted_time: now - BIN_US + DAY_US });

    const removed = await missionBin({ db, nowUs: () => now }).removeOld();

    expect(removed.map(({ id }) => id)).toEqual([old.id]);
    expect((await binOf('SA')).map(({ name }) => name)).toEqual(['Young']);
    await removeDoomed({ db, storage: dependencies.storage });
    expect(await dependencies.storage.stat(old.key)).toBeNull();
    expect(await dependencies.storage.stat(young.key)).not.toBeNull();
  });
});

describe('a hold', () => {
  it('stops every deletion, says why, and is audited', async () => {
    const { id, key, fileAddress } = await recorded('Kea');
    await db.updateTable('missions').set({ sample: true }).where('id', '=', id).execute();
    expect((await ask('GA').put('/api/missions/Kea/hold', { reason: 'evidence of a case' })).status).toBe(403);
    expect((await ask('A2').put('/api/missions/Kea/hold', { reason: 'short' })).status).toBe(400);

    expect((await ask('A2').put('/api/missions/Kea/hold', { reason: 'evidence of a case' })).status).toBe(200);

    const calls: [string, object?][] = [['/api/missions', { missions: ['Kea'] }], [fileAddress]];
    for (const [address, body] of calls) {
      const refused = await ask('SA').delete<{ code: string }>(address, body);
      expect([refused.status, refused.body.code], address).toEqual([422, 'missionHeld']);
    }
    await ask('SA').delete('/api/missions/samples');
    const retained = (await ask('SA').get<Mission>('/api/missions/Kea')).body;
    expect(retained.sensors[0]!.assets.map(({ path }) => path)).toHaveLength(1);
    expect(await dependencies.storage.stat(key)).not.toBeNull();
    expect((await ask('A2').get<Mission>('/api/missions/Kea')).body.hold).toBe('evidence of a case');
    expect((await ask('U1').get<Mission>('/api/missions/Kea')).body.hold).toBeNull();
    expect((await ask('A2').delete('/api/missions/Kea/hold')).status).toBe(200);
    expect((await ask('SA').delete(fileAddress)).status).toBe(200);
    expect(await dependencies.storage.stat(key)).toBeNull();
    expect((await ask('SA').delete('/api/missions', { missions: ['Kea'] })).status).toBe(200);
    const rows = await db.selectFrom('audit').selectAll().where('item_id', '=', id).orderBy('seq').execute();
    expect(rows.filter(({ decision }) => decision === 'allowed').map(({ action, reason }) => [action, reason])).toEqual(
      expect.arrayContaining([
        ['mission.hold', 'evidence of a case'],
        ['mission.release', null],
      ]),
    );
  });

  it.each([
    ['the deletion of the mission', 'Kea', '/api/missions', () => ({ missions: ['Kea'] }), 422],
    ['the removal of a file', 'Kea', null, () => undefined, 422],
    ['the emptying of the bin', 'Binned', '/api/bin', (id: string) => ({ missions: [id] }), 200],
  ] as const)('that is being written stops %s, which had begun', async (_what, name, address, body, status) => {
    const { id, key, fileAddress } = await recorded(
      name,
      name === 'Binned' ? { deleted_time: dependencies.nowUs() } : {},
    );
    const answer = await db.transaction().execute(async (tx) => {
      const held = { hold_reason: 'evidence of a case', deleted_time: null };
      await tx.updateTable('missions').set(held).where('id', '=', id).execute();
      const asked = ask('SA').delete(address ?? fileAddress, body(id));
      await expect.poll(() => waitingForLock(db)).toBeGreaterThan(0);
      return { asked };
    });

    expect((await answer.asked).status).toBe(status);
    expect((await ask('SA').get<Mission>(`/api/missions/${id}`)).body.hold).toBe('evidence of a case');
    expect(await db.selectFrom('files').select('storage_key').execute()).toEqual([{ storage_key: key }]);
    expect(await db.selectFrom('doomed_folders').selectAll().execute()).toEqual([]);
  });
});
