import type { Mission } from '@osprey/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { addMission, addSensor } from '../../../test/missions.ts';
import { askAs } from '../../../test/recordings.ts';
import { type Subject, testServer } from '../../../test/server.ts';

const server = await testServer();
const { db, groups, dependencies } = server;
const ask = (who: Subject) => askAs(server, who);

beforeEach(async () => {
  await db.deleteFrom('missions').execute();
});

/** A mission of G1, RESTRICTED: GA may change it, U1 reads it, A2 edits it too, U2 does not see it. */
async function ofG1(name: string, fields: Parameters<typeof addMission>[1] = {}) {
  const id = await addMission(db, { name, audience: 'groups', classification: 2, state: 'Ready', ...fields });
  await db.insertInto('mission_usergroups').values({ mission_id: id, usergroup_id: groups.G1 }).execute();
  return { id, sensor: await addSensor(db, id, { state: 'Ready' }) };
}

const rename = (who: Subject, ref: string, name: string, more: object = {}) =>
  ask(who).put<Mission & { code: string; text: string }>(`/api/missions/${encodeURIComponent(ref)}/name`, {
    name,
    ...more,
  });
const read = (who: Subject, ref: string) => ask(who).get<Mission>(`/api/missions/${encodeURIComponent(ref)}`);

describe('a mission is renamed', () => {
  it('by who may edit it, audited without its names', async () => {
    const { id } = await ofG1('Kea');

    expect((await rename('U1', id, 'Syros')).status).toBe(403);
    const hidden = await rename('U2', id, 'Syros');
    expect([hidden.status, hidden.body.code]).toEqual([404, 'notFound']);
    const { status, body } = await rename('GA', id, 'Syros', { revision: (await read('GA', id)).body.revision });

    expect([status, body._id, body.name]).toEqual([200, id, 'Syros']);
    expect((await read('U1', 'Syros')).body._id).toBe(id);
    const rows = await db.selectFrom('audit').selectAll().where('item_id', '=', id).execute();
    const row = rows.find(({ action }) => action === 'mission.rename');
    expect(row).toMatchObject({ actor_id: server.userId('GA'), decision: 'allowed', item_label: 2 });
    expect(JSON.stringify(rows)).not.toMatch(/Kea|Syros/);
    const old = await db.selectFrom('mission_old_names').select(['name', 'renamed_by']).execute();
    expect(old).toEqual([{ name: 'Kea', renamed_by: server.userId('GA') }]);
  });

  it('not when its editor does not see it, nor when another user was faster', async () => {
    const secret = await addMission(db, { name: 'Secret', classification: 4, state: 'Ready' });
    const { id } = await ofG1('Kea');

    expect((await rename('GA', secret, 'Syros')).status).toBe(404);
    const stale = await rename('GA', id, 'Syros', { revision: 4711 });

    expect([stale.status, stale.body.code]).toEqual([409, 'revisionConflict']);
    expect((await read('GA', id)).body.name).toBe('Kea');
  });

  it('to no name that a mission has which its editor sees, and by the rules of names', async () => {
    await ofG1('Kea');
    await ofG1('Syros');
    await addMission(db, { name: 'Hidden', classification: 4, state: 'Ready' });

    const taken = await rename('GA', 'Kea', 'Syros');
    expect([taken.status, taken.body.text]).toEqual([409, 'Mission name Syros already exists']);
    for (const name of ['', 'a b', 'a/b', '..', 'x'.repeat(65)]) {
      expect((await rename('GA', 'Kea', name)).status, name).toBe(400);
    }
    // A refusal would betray it.
    expect((await rename('GA', 'Kea', 'Hidden')).status).toBe(200);
  });

  it('not while it is recorded, uploaded to or exported', async () => {
    const recorded = await ofG1('Recorded', { state: 'Running' });
    const { id, sensor } = await ofG1('Kea');
    const times = { created: dependencies.nowUs(), updated: dependencies.nowUs() };
    const upload = { user_id: server.userId('GA')!, sensor_id: sensor, name: 'a.ts', storage_key: 'uploads/a' };
    await db
      .insertInto('uploads')
      .values({ ...upload, ...times, size_bytes: 100, last_modified: null })
      .execute();

    const reasonOf = async (ref: string) => {
      const { status, body } = await rename('GA', ref, 'Syros');
      return [status, body.text];
    };
    expect(await reasonOf(recorded.id)).toEqual([
      422,
      'Recorded is being recorded. Please rename it when the recording has ended.',
    ]);
    expect(await reasonOf(id)).toEqual([
      422,
      'A file is being uploaded to Kea. Please rename it when the upload has ended.',
    ]);

    // One that was given up waits for days.
    await db
      .updateTable('uploads')
      .set({ updated: dependencies.nowUs() - 11 * 60 * 1_000_000 })
      .execute();
    const task = await db
      .insertInto('tasks')
      .values({
        ...{ kind: 'export', user_id: server.userId('SA')!, state: 'running', title: 'Kea' },
        ...{ input: JSON.stringify({ missions: [id] }), result: null, error: null, size_bytes: null },
        ...{ offset_bytes: null, storage_key: null, created: dependencies.nowUs(), ended: null, heartbeat: null },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(await reasonOf(id)).toEqual([422, 'Kea is being exported. Please rename it when the export has ended.']);

    await db.updateTable('tasks').set({ state: 'done' }).where('id', '=', task.id).execute();
    expect(await reasonOf(id)).toEqual([200, undefined]);
  });
});

describe('the name that it had', () => {
  it('finds it for its readers alone', async () => {
    const { id } = await ofG1('Kea');
    await rename('GA', id, 'Syros');

    const reads = ['/api/missions/Kea', '/api/missions/area/Kea', '/api/sensors?missionIdOrName=Kea'];
    for (const address of [...reads, '/api/bookmarks?missionIdOrName=Kea', '/api/sensors/pictures/Kea/EO%2FIR']) {
      expect((await ask('U1').get(address)).status, address).toBe(200);
      const hidden = await ask('U2').get(address);
      const absent = await ask('U2').get(address.replace('Kea', 'Never'));
      expect([hidden.status, hidden.raw.toString()], address).toEqual([404, absent.raw.toString()]);
    }
    expect((await read('U1', 'Kea')).body.name).toBe('Syros');
  });

  it('gives way to a mission that has it, for those who see that one', async () => {
    const { id } = await ofG1('Kea');
    await rename('GA', id, 'Syros');
    const other = await addMission(db, { name: 'Kea', audience: 'groups', classification: 4, state: 'Ready' });

    expect((await read('U1', 'Kea')).body._id).toBe(id);
    expect((await read('SA', 'Kea')).body._id).toBe(other);
    // The new mission Kea has no sensor of that name, and the renamed mission must not answer in its place.
    expect((await ask('SA').get('/api/sensors/pictures/Kea/EO%2FIR')).status).toBe(404);
  });

  it('changes nothing: it asks for the id', async () => {
    const { id } = await ofG1('Kea');
    await rename('GA', id, 'Syros');

    const mark = { missionIdOrName: 'Kea', title: 'b' };
    const answers = await Promise.all([
      ask('GA').put<{ code: string }>('/api/missions', { name: 'Kea', rating: 1 }),
      ask('GA').delete<{ code: string }>('/api/missions', { missions: ['Kea'] }),
      ask('A2').put<{ code: string }>('/api/missions/Kea/hold', { reason: 'evidence of a case' }),
      ask('GA').post<{ code: string }>('/api/missions/exportList', { missions: ['Kea'] }),
      ask('GA').post<{ code: string }>('/api/bookmarks', { ...mark, sensorIdOrName: 'EO/IR', position: 0 }),
      ask('GA').post<{ code: string }>('/api/clips', { ...mark, sensors: ['EO/IR'], markIn: '0', markOut: '1' }),
      rename('GA', 'Kea', 'Naxos'),
    ]);

    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [409, 'missionRenamed']));
    const elsewhere = await ask('U2').put<{ code: string }>('/api/missions', { name: 'Kea', rating: 1 });
    expect(elsewhere.status).toBe(404);
    const uploaded = await server.asUser('GA').inject({
      ...{ method: 'POST', url: '/api/missions/upload/Kea/EO%2FIR' },
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x\r\ncontent-disposition: form-data; name="f"; filename="a.ts"\r\n\r\nnothing\r\n--x--\r\n',
    });
    expect([uploaded.statusCode, uploaded.json().code]).toEqual([409, 'missionRenamed']);
    expect((await read('GA', id)).body).toMatchObject({ name: 'Syros', rating: 0, hold: null });
  });

  it('is its name again when it is renamed back', async () => {
    const { id } = await ofG1('Kea');
    await rename('GA', id, 'Syros');
    expect((await rename('GA', id, 'Kea')).status).toBe(200);

    const old = await db.selectFrom('mission_old_names').select('name').where('mission_id', '=', id).execute();
    expect(old).toEqual([{ name: 'Syros' }]);
    expect((await ask('GA').put('/api/missions', { name: 'Kea', rating: 2 })).status).toBe(200);
  });

  it('never hides another mission by its id', async () => {
    const { id } = await ofG1('Kea');
    const other = await ofG1('Naxos');
    await rename('GA', id, other.id);
    await rename('GA', id, 'Syros');

    expect((await read('U1', other.id)).body.name).toBe('Naxos');
    const marked = await ask('GA').post<{ code: string }>('/api/bookmarks', {
      ...{ missionIdOrName: other.id, sensorIdOrName: 'EO/IR', title: 'b', position: 0 },
    });
    expect(marked.body.code).not.toBe('missionRenamed');
  });
});
