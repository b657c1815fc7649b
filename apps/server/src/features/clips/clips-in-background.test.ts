import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClipManifest, ExportTask, Mission } from '@osprey/contract';
import { simulateToFile } from '@osprey/simulator';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { recordingServer } from '../../../test/recordings.ts';
import { exportKey, makingKey, remakeOldClips, stateKey } from '../../base/jobs/export-tasks.ts';
import { keepingDependencies } from '../../compose/upkeep.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const folder = await mkdtemp(join(tmpdir(), 'osprey-clips-order-test-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const { tasks } = keepingDependencies(server.dependencies);

let kea: Mission;

beforeAll(async () => {
  const path = join(folder, 'kea.ts');
  await simulateToFile({ seconds: 12, width: 320, height: 180, seed: 7 }, path);
  const usergroups = [server.groups.G1!];
  const sharing = { audience: 'groups', usergroups, securityClassification: 'RESTRICTED' } as const;
  kea = (await server.record({ name: 'Kea', ...sharing }, { 'EO/IR': [{ path }], IR: [{ path }] })).mission;
}, 60_000);

const order = (who: 'U1' | 'U2', body: object) =>
  server.ask(who).post<{ id: string }>(`/api/sensors/exportVideo/${kea._id}/${kea.sensors[0]!._id}`, {
    markIn: '2',
    markOut: '6',
    ...body,
  });
const listed = async (who: 'U1' | 'U2') => (await server.ask(who).get<ExportTask[]>('/api/exports')).body;

/** As a browser that has its session by a header: no ticket is asked for. */
async function saved(id: string): Promise<string> {
  const { status, raw } = await server.ask('U1').get(`/api/exports/${id}`);
  expect(status).toBe(200);
  const path = join(folder, `${id}.zip`);
  await writeFile(path, raw);
  return path;
}

it.each(['ts', 'mp4'] as const)(
  'makes a zip of all sensors as %s, which a user without admin rights gets',
  async (format) => {
    const { status, body } = await order('U1', { allSensors: true, format });
    expect(status).toBe(200);
    expect(await listed('U1')).toMatchObject([
      { kind: 'clips', title: 'Kea', state: 'waiting', securityClassification: 'RESTRICTED' },
    ]);
    await tasks.settle();

    expect(await listed('U1')).toMatchObject([
      { state: 'done', fileName: expect.stringMatching(/^osprey_RESTRICTED_Kea_.*_4s\.zip$/) },
    ]);
    const path = await saved(body.id);
    const names = execFileSync('unzip', ['-Z1', path]).toString().trim().split('\n');
    expect(names.map((name) => name.replace(/.*_Kea_|_2.*(?=\.)/g, ''))).toEqual([
      `EO-IR.${format}`,
      `IR.${format}`,
      'clip.json',
      'SHA256SUMS',
    ]);
    const manifest: ClipManifest = JSON.parse(execFileSync('unzip', ['-p', path, 'clip.json']).toString());
    expect(manifest).toMatchObject({ by: 'U1', label: 'RESTRICTED' });
    expect(await listed('U2')).toEqual([]);
    expect((await server.ask('U2').get(`/api/exports/${body.id}`)).status).toBe(404);
    await server.ask('U1').delete(`/api/exports/${body.id}`);
  },
);

async function unzipped(id: string): Promise<Buffer[]> {
  const path = await saved(id);
  execFileSync('unzip', ['-tq', path]);
  execFileSync('python3', ['-c', 'import sys, zipfile; assert zipfile.ZipFile(sys.argv[1]).testzip() is None', path]);
  const names = execFileSync('unzip', ['-Z1', path]).toString().trim().split('\n');
  return names.map((name) => execFileSync('unzip', ['-p', path, name], { maxBuffer: 2 ** 28 }));
}

const making = (id: string) => server.dependencies.storage.open(makingKey(id));

/** Ends the work on an export after its first clip, as a cancel or a stop of the server does. */
async function interrupted(id: string, end: () => Promise<unknown>): Promise<number> {
  const { storage } = server.dependencies;
  const { put } = storage;
  let isEnded = false;
  storage.put = async (key, source) => {
    const stored = await put(key, source);
    if (key !== stateKey(id) || isEnded) return stored;
    isEnded = true;
    await end();
    throw new Error('the work ends here');
  };
  await tasks.settle().finally(() => Object.assign(storage, { put }));
  const file = await making(id);
  await file.close();
  return file.sizeBytes;
}

it('goes on after the last whole clip when it was cancelled, to the bytes of one that was not', async () => {
  const { body } = await order('U1', { allSensors: true });
  const cancel = () => server.ask('U1').delete(`/api/exports/${body.id}`);
  const sizeBytes = await interrupted(body.id, cancel);
  expect(sizeBytes).toBeGreaterThan(100_000);
  expect(await listed('U1')).toMatchObject([{ state: 'cancelled', kind: 'clips' }]);
  expect((await server.ask('U2').post(`/api/exports/${body.id}/resume`)).status).toBe(404);
  const cut = vi.spyOn(server.dependencies.storage, 'open');
  expect((await server.ask('U1').post(`/api/exports/${body.id}/resume`)).status).toBe(200);
  expect((await server.ask('U1').post(`/api/exports/${body.id}/resume`)).status).toBe(404);
  await tasks.settle();
  expect(new Set(cut.mock.calls.map(([key]) => key)).size, 'the second recording alone is read').toBe(1);
  cut.mockRestore();

  const complete = await order('U1', { allSensors: true });
  await tasks.settle();
  const [resumed, fresh] = [await unzipped(body.id), await unzipped(complete.body.id)];
  expect(resumed.slice(0, 2)).toEqual(fresh.slice(0, 2));
  const [about, other] = [resumed, fresh].map(([, , text]) => JSON.parse(text!.toString()) as ClipManifest);
  expect({ ...about, created: '' }).toEqual({ ...other, created: '' });
  for (const { id } of [body, complete.body]) await server.ask('U1').delete(`/api/exports/${id}`);
});

it('makes a zip again that an earlier version made, once, and keeps one of this version', async () => {
  const { body } = await order('U1', {});
  await tasks.settle();
  const [clip] = await unzipped(body.id);
  const { storage } = server.dependencies;
  await remakeOldClips(server.dependencies);
  expect(await listed('U1')).toMatchObject([{ state: 'done' }]);
  const rows = server.db.updateTable('tasks').where('id', '=', body.id);
  await rows.set({ result: JSON.stringify({ fileName: 'old.zip', label: 'RESTRICTED' }) }).execute();
  await storage.put(exportKey(body.id), [Buffer.from('made before')]);

  await remakeOldClips(server.dependencies);

  expect(await listed('U1')).toMatchObject([{ state: 'waiting' }]);
  expect(await storage.stat(exportKey(body.id))).toBeNull();
  await tasks.settle();
  expect((await unzipped(body.id))[0]).toEqual(clip);
  await server.ask('U1').delete(`/api/exports/${body.id}`);
});

it('begins the clip again in whose middle it was cancelled, to the same bytes', async () => {
  const { storage } = server.dependencies;
  const { append } = storage;
  const { body } = await order('U1', {});
  storage.append = async (key) => {
    const file = await append(key);
    return {
      ...file,
      async write(bytes) {
        await file.write(bytes);
        if (file.sizeBytes() < 50_000) return;
        await server.ask('U1').delete(`/api/exports/${body.id}`);
        throw new Error('the work ends here');
      },
    };
  };
  await tasks.settle().finally(() => Object.assign(storage, { append }));
  expect(await listed('U1')).toMatchObject([{ state: 'cancelled', kind: 'clips' }]);

  expect((await server.ask('U1').post(`/api/exports/${body.id}/resume`)).status).toBe(200);
  await tasks.settle();
  const complete = await order('U1', {});
  await tasks.settle();

  const [resumed, fresh] = [await unzipped(body.id), await unzipped(complete.body.id)];
  expect(resumed[0]!.equals(fresh[0]!)).toBe(true);
  expect(resumed[0]!.length).toBeGreaterThan(100_000);
  for (const { id } of [body, complete.body]) await server.ask('U1').delete(`/api/exports/${id}`);
});

it('makes a clip again whose bytes are not what they were, and all where the label is another one', async () => {
  const { storage } = server.dependencies;
  const { body } = await order('U1', { allSensors: true });
  await interrupted(body.id, () => server.ask('U1').delete(`/api/exports/${body.id}`));
  const bytes = Buffer.concat(await storage.read(makingKey(body.id)).toArray());
  bytes[1000] = bytes[1000]! ^ 0xff;
  await storage.put(makingKey(body.id), [bytes]);
  await server.ask('U1').post(`/api/exports/${body.id}/resume`);
  await interrupted(body.id, () => server.ask('U1').delete(`/api/exports/${body.id}`));
  const again = Buffer.concat(await storage.read(makingKey(body.id)).toArray());
  bytes[1000] = bytes[1000]! ^ 0xff;
  expect(again.subarray(60).equals(bytes.subarray(60, again.length)), 'the same clip').toBe(true);

  await server.db.updateTable('missions').set({ classification: 3 }).where('id', '=', kea._id).execute();
  await server.db.updateTable('users').set({ clearance: 3 }).where('username', '=', 'U1').execute();
  await server.ask('U1').post(`/api/exports/${body.id}/resume`);
  await tasks.settle();
  await server.db.updateTable('missions').set({ classification: 2 }).where('id', '=', kea._id).execute();
  const row = await server.db.selectFrom('tasks').select(['state', 'result']).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ state: 'done', result: { label: 'CONFIDENTIAL' } });
  await server.db.deleteFrom('tasks').execute();
  for (const key of [exportKey(body.id), stateKey(body.id)]) await storage.remove(key);
});

it('begins again where an earlier version began the zip, whose entries had another form', async () => {
  const { storage } = server.dependencies;
  const { body } = await order('U1', { allSensors: true });
  await interrupted(body.id, () => server.ask('U1').delete(`/api/exports/${body.id}`));
  const { format, ...before } = JSON.parse(String(Buffer.concat(await storage.read(stateKey(body.id)).toArray())));
  expect(format).toBe(2);
  await storage.put(stateKey(body.id), [Buffer.from(JSON.stringify(before))]);
  const cut = vi.spyOn(storage, 'open');

  await server.ask('U1').post(`/api/exports/${body.id}/resume`);
  await tasks.settle();

  expect(new Set(cut.mock.calls.map(([key]) => key)).size, 'both recordings are read').toBe(2);
  cut.mockRestore();
  expect(await unzipped(body.id)).toHaveLength(4);
  await server.ask('U1').delete(`/api/exports/${body.id}`);
});

it('goes on by itself when the server stopped or died', async () => {
  const { body } = await order('U1', { allSensors: true });
  const died = () =>
    server.db
      .updateTable('tasks')
      .set({ state: 'running', heartbeat: 1, attempts: 1 })
      .where('id', '=', body.id)
      .execute();
  await interrupted(body.id, died).catch(() => undefined);
  await tasks.settle();

  expect(await listed('U1')).toMatchObject([{ state: 'done' }]);
  expect(await unzipped(body.id)).toHaveLength(4);
  await server.ask('U1').delete(`/api/exports/${body.id}`);
});

it('leaves nothing of one that is cancelled and thrown away', async () => {
  const { body } = await order('U1', {});

  expect((await server.ask('U1').delete(`/api/exports/${body.id}`)).status).toBe(200);
  await tasks.settle();
  expect(await listed('U1')).toMatchObject([{ state: 'cancelled' }]);
  expect((await server.ask('U1').delete(`/api/exports/${body.id}`)).status).toBe(200);

  expect(await listed('U1')).toEqual([]);
  const retained: string[] = [];
  for await (const { key } of server.dependencies.storage.list('exports')) retained.push(key);
  expect(retained).toEqual([]);
});

it('counts as one of two exports of an account, and is hidden from who may not see the mission', async () => {
  const made = [await order('U1', {}), await order('U1', {}), await order('U1', {})];
  expect(made.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect((await order('U2', {})).status).toBe(404);
  expect(
    (await server.ask('U1').get(`/api/sensors/exportVideo/${kea._id}/${kea.sensors[0]!._id}?markIn=1&markOut=2`))
      .status,
  ).toBe(429);
});

it('ends where the right was lost before it was made', async () => {
  await server.db.updateTable('missions').set({ deleted_time: 1 }).where('id', '=', kea._id).execute();
  await tasks.settle();

  const rows = await server.db.selectFrom('tasks').select(['state', 'error']).execute();
  expect(rows.map(({ state }) => state)).toEqual(['failed', 'failed']);
});

it('makes one zip of found times of several missions, with a folder for each, and says what was left out', async () => {
  const path = join(folder, 'kea.ts');
  const usergroups = [server.groups.G1!];
  const sharing = { audience: 'groups', usergroups, securityClassification: 'RESTRICTED' } as const;
  const tinos = (await server.record({ name: 'Tinos', ...sharing }, { 'EO/IR': [{ path }] })).mission;
  const andros = (await server.record({ name: 'Andros', securityClassification: 'UNCLASSIFIED' }, { EO: [{ path }] }))
    .mission;
  const start = tinos.startTime!;
  const spanOf = (mission: Mission, from: number, to: number) => ({
    missionId: mission._id,
    sensorId: mission.sensors[0]!._id,
    from: start + from * 1e6,
    to: start + to * 1e6,
  });
  const spans = [spanOf(tinos, 2, 5), spanOf(andros, 1, 3), spanOf(tinos, 7, 9), spanOf(andros, 3600, 3700)];
  const orderFound = (who: 'U1' | 'U2' | 'guest', body: object) =>
    server.ask(who).post<{ id: string; clips: number; left: number }>('/api/coverage/clips', body);
  const { status, body } = await orderFound('U1', { spans });
  expect(status).toBe(200);
  expect(body).toMatchObject({ clips: 3, left: 1 });
  await tasks.settle();

  const task = (await listed('U1')).find(({ _id }) => _id === body.id);
  expect(task).toMatchObject({
    ...{ kind: 'clips', state: 'done', title: 'Tinos, Andros', securityClassification: 'RESTRICTED' },
    fileName: expect.stringMatching(/^osprey_RESTRICTED_3-clips_\d{8}-\d{6}\.zip$/),
  });
  const names = execFileSync('unzip', ['-Z1', await saved(body.id)])
    .toString()
    .trim()
    .split('\n');
  expect(names.map((name) => name.replace(/_2\d{7}-\d{6}/, ''))).toEqual([
    ...['EO-IR_3s.ts', 'EO-IR_2s.ts'].map((name) => `osprey_RESTRICTED_Tinos/osprey_RESTRICTED_Tinos_${name}`),
    'osprey_UNCLASSIFIED_Andros/osprey_UNCLASSIFIED_Andros_EO_2s.ts',
    ...['clip.json', 'SHA256SUMS'].map((name) => `osprey_RESTRICTED_Tinos/${name}`),
    ...['clip.json', 'SHA256SUMS'].map((name) => `osprey_UNCLASSIFIED_Andros/${name}`),
  ]);
  await server.ask('U1').delete(`/api/exports/${body.id}`);

  // One that is hidden refuses all of them; so does what is too long, or has nothing to be cut.
  expect((await orderFound('U2', { spans })).status).toBe(404);
  expect((await orderFound('guest', { spans: [spanOf(andros, 1, 3)] })).status).toBe(404);
  expect((await orderFound('U1', { spans: [spanOf(andros, 3600, 3700)] })).status).toBe(422);
  expect((await orderFound('U1', { spans: [spanOf(andros, 0, 7 * 3600)] })).status).toBe(422);
  expect((await orderFound('U1', { spans: Array.from({ length: 101 }, () => spans[0]) })).status).toBe(400);
});
