import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClipManifest, ExportTask, Mission } from '@osprey/contract';
import { simulateToFile } from '@osprey/simulator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordingServer } from '../../../test/recordings.ts';
import { keepingParts } from '../../compose/upkeep.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const folder = await mkdtemp(join(tmpdir(), 'osprey-clips-order-test-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const { tasks } = keepingParts(server.parts);

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

it('leaves nothing of one that is cancelled', async () => {
  const { body } = await order('U1', {});

  expect((await server.ask('U1').delete(`/api/exports/${body.id}`)).status).toBe(200);
  await tasks.settle();

  expect(await listed('U1')).toEqual([]);
  const kept: string[] = [];
  for await (const { key } of server.parts.storage.list('exports')) kept.push(key);
  expect(kept).toEqual([]);
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
