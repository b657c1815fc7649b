import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clip, Mission, Sensor } from '@osprey/contract';
import { simulateToFile } from '@osprey/simulator';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordingServer } from '../../../test/recordings.ts';
import type { Subject } from '../../../test/server.ts';
import { composeApi } from '../../compose/api.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { db, groups } = server;
const folder = await mkdtemp(join(tmpdir(), 'osprey-clip-items-test-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const START = Date.UTC(2026, 5, 1, 9) * 1000;
let mission: Mission;
let sensors: string[];

async function flight(name: string, options: object = {}): Promise<{ path: string }> {
  const path = join(folder, `${name}.ts`);
  await simulateToFile({ seconds: 12, width: 320, height: 180, seed: 5, startUs: START, ...options }, path);
  return { path };
}

beforeAll(async () => {
  const files = { EO: [await flight('eo')], IR: [await flight('ir', { sensor: 2 })] };
  ({ mission } = await server.record({ name: 'M2', audience: 'groups', usergroups: [groups.G1!, groups.G2!] }, files));
  sensors = mission.sensors.map(({ _id }) => _id);
}, 120_000);

const words = { title: 'Hand-over', note: 'Two crates', tags: ['crates'] };

const make = (who: Subject, fields: object = {}) =>
  server.ask(who).post<Clip & { message: string; code?: string }>('/api/clips', {
    ...{ missionIdOrName: mission._id, sensors: [sensors[0]], markIn: '3.5', markOut: '7', ...words },
    ...fields,
  });
const list = async (who: Subject) =>
  (await server.ask(who).get<Clip[]>(`/api/clips?missionIdOrName=${mission._id}`)).body;
const exported = (who: Subject, id: string, query = '') => server.ask(who).get(`/api/clips/${id}/export${query}`);

describe('clips of a mission', () => {
  it('keep sensors, In, Out, words, who and when, and are listed under the sensor', async () => {
    const { status, body } = await make('U1');

    expect(status).toBe(200);
    expect(body).toMatchObject({ ...words, missionId: mission._id, author: 'U1', editor: 'U1', editable: true });
    expect(body.message).toBe('Clip Hand-over saved.');
    expect([body.startTime, body.endTime].map((time) => Math.round((time - START) / 1e3))).toEqual([3500, 7000]);
    expect(body.cuts).toMatchObject([{ sensorId: sensors[0], state: 'shown' }]);
    expect(body.cuts[0]!.in!.fileId).toBe(mission.sensors[0]!.assets[0]!._id);
    const found = await server.ask('U1').get<Sensor[]>(`/api/sensors?missionIdOrName=${mission._id}&clips=true`);
    expect(found.body.map(({ clips }) => clips?.map(({ _id }) => _id))).toEqual([[body._id], []]);
    const plain = await server.ask('U1').get<Sensor[]>(`/api/sensors?missionIdOrName=${mission._id}`);
    expect(plain.body.every(({ clips }) => clips === undefined)).toBe(true);
    expect(await list('U1')).toMatchObject([{ _id: body._id }]);
  });

  it('stay on their frames where the sensor is shifted', async () => {
    const { body: clip } = await make('U1');
    const before = await exported('U1', clip._id);

    await server.ask('SA').post(`/api/sensors/${sensors[0]}/shift`, { shift: 90_000_000 });
    const [moved] = (await list('U1')).filter(({ _id }) => _id === clip._id);
    const after = await exported('U1', clip._id);
    await server.ask('SA').post(`/api/sensors/${sensors[0]}/shift`, { shift: 0 });

    expect(moved!.startTime - clip.startTime).toBe(90_000_000);
    expect(moved!.cuts[0]!.in).toEqual(clip.cuts[0]!.in);
    expect(after.raw.length).toBe(before.raw.length);
  });

  it('hold several sensors, which go out as one zip', async () => {
    const { body: clip } = await make('U1', { sensors, title: 'Both' });

    const { headers, raw } = await exported('U1', clip._id);

    expect(clip.cuts).toHaveLength(2);
    expect(headers['content-type']).toBe('application/zip');
    expect(raw.toString('latin1').match(/_(?:EO|IR)_\d{8}-\d{6}_\d+s\.ts/g)!.length).toBeGreaterThanOrEqual(2);
  });

  it('need not be kept to export all sensors of the mission', async () => {
    const address = `/api/sensors/exportVideo/${mission._id}/${sensors[0]}`;
    const all = await server.ask('U1').get(`${address}?markIn=3&markOut=5&allSensors=true`);
    const one = await server.ask('U1').get(`${address}?markIn=3&markOut=5`);

    expect([all.headers['content-type'], one.headers['content-type']]).toEqual(['application/zip', 'video/mp2t']);
    const names = new Set(all.raw.toString('latin1').match(/_(?:EO|IR)_\d{8}-\d{6}_2s\.ts/g));
    expect([...names].map((name) => name.slice(1, 3)).sort()).toEqual(['EO', 'IR']);
  });

  it('are changed and deleted by who made them and who manages the mission', async () => {
    const { body: clip } = await make('U1');
    const put = (who: Subject, revision: number) =>
      server.ask(who).put<Clip>(`/api/clips/${clip._id}`, { title: `By ${who}`, revision });
    const remove = (who: Subject) => server.ask(who).delete('/api/clips', { clips: [clip._id] });

    expect((await put('U2', 1)).status).toBe(403);
    expect((await put('U1', 1)).body).toMatchObject({ title: 'By U1', editor: 'U1', revision: 2 });
    expect((await put('SA', 1)).status).toBe(409);
    expect((await put('SA', 2)).body).toMatchObject({ title: 'By SA', author: 'U1', editor: 'SA' });
    expect((await remove('U2')).status).toBe(403);
    expect((await remove('U1')).status).toBe(200);
    expect((await exported('U1', clip._id)).status).toBe(404);
    expect((await remove('U1')).status).toBe(404);
  });

  it('T-046 rise with their mission, and are hidden from all outside its groups', async () => {
    const { body: clip } = await make('U1');
    expect((await list('U2')).map(({ _id }) => _id)).toContain(clip._id);

    await db.updateTable('missions').set({ classification: 4 }).where('id', '=', mission._id).execute();
    const statuses = await Promise.all(
      (['U1', 'U2', 'U0', 'guest'] as const).map(async (who) => (await exported(who, clip._id)).status),
    );
    const { headers } = await exported('SA', clip._id);
    await db.updateTable('missions').set({ classification: 1 }).where('id', '=', mission._id).execute();

    // U2 alone is cleared for it and in a group that may show it.
    expect(statuses).toEqual([404, 200, 404, 404]);
    expect(headers['content-disposition']).toContain('osprey_SECRET_M2_');
  });

  it('say so where their recording was removed, and keep their last times', async () => {
    const other = await server.record({ name: 'Short' }, [await flight('gone')]);
    const [sensor] = other.mission.sensors;
    const of = { missionIdOrName: other.mission._id, sensors: [sensor!._id] };
    const { body: clip } = await make('SA', of);

    await server.ask('SA').delete(`/api/sensors/${sensor!._id}/files/${sensor!.assets[0]!._id}`);
    await server.work();
    const { body: found } = await server.ask('SA').get<Clip[]>(`/api/clips?missionIdOrName=${other.mission._id}`);
    const answer = await exported('SA', clip._id);

    expect(found).toMatchObject([{ startTime: clip.startTime, cuts: [{ state: 'gone' }] }]);
    expect(answer.status).toBe(422);
  });

  it.each([
    ['an empty title', { title: ' ' }, 400],
    ['no sensor', { sensors: [] }, 400],
    ['an unknown sensor', { sensors: ['nowhere'] }, 404],
    ['Out before In', { markIn: '8', markOut: '7' }, 422],
    ['a span that was not recorded', { markIn: '800', markOut: '900' }, 422],
    ['a field that is not known', { colour: 'red' }, 400],
  ])('refuse %s', async (_what, fields, status) => {
    expect((await make('U1', fields)).status).toBe(status);
  });

  it('give the same bytes each time, after a restart and an export by hand too', async () => {
    const { body: clip } = await make('U1');

    const first = await exported('U1', clip._id);
    const byHand = await server
      .ask('U1')
      .get(`/api/sensors/exportVideo/${mission._id}/${sensors[0]}?markIn=3.5&markOut=7`);
    await server.close();
    const again = await composeApi({
      ...{ config: server.dependencies.config, databaseUrl: server.databaseUrl, log: pino({ level: 'silent' }) },
      ...{ setupCode: null, tls: null },
    });
    const url = `/api/clips/${clip._id}/export`;
    const answer = await again.app.inject({ url, headers: server.headersOf('U1') });
    await again.close();

    expect([first.status, answer.statusCode]).toEqual([200, 200]);
    expect(answer.rawPayload.equals(first.raw)).toBe(true);
    expect(byHand.raw.equals(first.raw)).toBe(true);
  });
});
