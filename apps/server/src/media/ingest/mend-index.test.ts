import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KlvHealth, Mission, TelemetryPage } from '@osprey/contract';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { flightBytes } from '../../../test/flight.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { type FileIndex, fileIndexKey, getJson } from '../index/file-index.ts';
import { INDEX_REMARK } from './mend-index.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { db, dependencies } = server;
const { storage } = dependencies;
const { get } = server.ask('SA');
const folder = await mkdtemp(join(tmpdir(), 'osprey-mend-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

let missionId: string;
let sensorId: string;
let fileId: string;
let made = 0;

beforeEach(async () => {
  made += 1;
  const path = join(folder, `flight${made}.ts`);
  await writeFile(path, flightBytes({ seconds: 2 }));
  const { mission } = await server.record({ name: `Flight-${made}` }, [{ path }]);
  const [sensor] = mission.sensors;
  [missionId, sensorId, fileId] = [mission._id, sensor!._id, sensor!.assets[0]!._id];
});

const timeline = () => get(`/api/sensors/timeline/${missionId}/${sensorId}`);
const telemetry = () => get<TelemetryPage>(`/api/sensors/telemetry/${missionId}/${sensorId}`);
const waiting = async () => {
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'waiting')
    .where('kind', '=', 'ingest')
    .execute();
  return rows.length;
};
const indexKey = async () => {
  const row = await db.selectFrom('sensors').select('index_key').where('id', '=', sensorId).executeTakeFirstOrThrow();
  return row.index_key!;
};
const index = () => getJson<FileIndex>(storage, fileIndexKey(sensorId, fileId));

/** One byte in the middle becomes one that no text has. */
async function spoil(key: string): Promise<void> {
  const bytes = await readFile(storage.path(key));
  bytes[Math.floor(bytes.length / 2)] = 0;
  await writeFile(storage.path(key), bytes);
}

async function findings(): Promise<string> {
  const { body } = await get<KlvHealth>(`/api/sensors/klv-health/${missionId}/${sensorId}`);
  return JSON.stringify(body.findings);
}

it('makes the index of a sensor again when a damaged one is read, and says so', async () => {
  await spoil(await indexKey());

  expect((await timeline()).body).toMatchObject({ code: 'indexDamaged', status: 503 });
  await expect.poll(waiting).toBe(1);
  const mission = await get<Mission>(`/api/missions/${missionId}`);
  expect(mission.body.sensors[0]?.message).toBe('The index was damaged. It is made again from the originals.');
  // Asked again meanwhile, it is not ordered twice.
  await timeline();
  expect(await server.work()).toEqual([]);

  expect((await timeline()).status).toBe(200);
  expect((await telemetry()).body.time).toHaveLength(50);
  expect(await waiting()).toBe(0);
});

it.each<[string, (key: string) => Promise<void>]>([
  ['cut off', (key) => truncate(storage.path(key), 40)],
  ['gone', (key) => storage.remove(key)],
])('reads the original again where the telemetry made of it is %s', async (_what, damage) => {
  await damage((await index()).telemetryKey!);

  expect((await telemetry()).status).toBeGreaterThanOrEqual(400);
  await expect.poll(waiting).toBe(1);
  expect(await server.work()).toEqual([]);

  expect((await telemetry()).body.time).toHaveLength(50);
  expect(await findings()).toContain(INDEX_REMARK);
  const row = await db.selectFrom('audit').selectAll().where('action', '=', 'index.rebuild').executeTakeFirst();
  expect(row).toMatchObject({ node: 'worker', item_label: 1 });
});

it('reads the original again where what was known of the file is damaged', async () => {
  await spoil(fileIndexKey(sensorId, fileId));
  await spoil(await indexKey());
  await timeline();
  await expect.poll(waiting).toBe(1);

  expect(await server.work()).toEqual([]);

  expect((await index()).fileId).toBe(fileId);
  expect(await findings()).toContain(INDEX_REMARK);
});

it('keeps an original that cannot be read where its index is damaged too', async () => {
  const key = (await db.selectFrom('files').selectAll().where('id', '=', fileId).executeTakeFirstOrThrow()).storage_key;
  await writeFile(storage.path(key), 'no stream');
  await spoil(fileIndexKey(sensorId, fileId));
  await spoil(await indexKey());
  await timeline();
  await expect.poll(waiting).toBe(1);

  expect((await server.work())[0]).toContain('its index is damaged, and it could not be read again');

  expect(await storage.stat(key)).not.toBeNull();
  const row = await db.selectFrom('files').select('state').where('id', '=', fileId).executeTakeFirst();
  expect(row?.state).toBe('failed');
});
