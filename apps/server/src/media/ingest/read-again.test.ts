import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { KlvHealth, Mission, TelemetryPage } from '@osprey/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flightBytes } from '../../../test/flight.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { type FileIndex, fileIndexKey, getJson, indexFolder, putJson } from '../index/file-index.ts';
import { runReindexCommand } from './read-again.ts';
import type { SidecarIndex } from './sidecar-index.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { get } = server.ask('SA');
const { db, dependencies } = server;
const { queue, storage } = dependencies;
const folder = await mkdtemp(join(tmpdir(), 'osprey-again-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

let said: string[] = [];
const reindex = (...args: string[]) => {
  said = [];
  return runReindexCommand({ db, storage, queue, say: (line) => said.push(line) }, args);
};

async function recorded(name: string, file: string, content: string | Buffer) {
  const path = join(folder, file);
  await writeFile(path, content);
  const { mission } = await server.record({ name }, [{ path, name: file }]);
  const [sensor] = mission.sensors;
  const row = await db
    .selectFrom('files')
    .select(['id', 'storage_key'])
    .where('sensor_id', '=', sensor!._id)
    .executeTakeFirstOrThrow();
  const key = fileIndexKey(sensor!._id, row.id);
  return {
    key,
    original: row.storage_key,
    indexes: async () => {
      const names: string[] = [];
      for await (const stored of storage.list(indexFolder(sensor!._id))) names.push(stored.key);
      return names.sort();
    },
    mission: async () => (await get<Mission>(`/api/missions/${mission._id}`)).body,
    health: async () => (await get<KlvHealth>(`/api/sensors/klv-health/${mission._id}/${sensor!._id}`)).body,
    telemetry: async () => (await get<TelemetryPage>(`/api/sensors/telemetry/${mission._id}/${sensor!._id}`)).body,
  };
}
type Recorded = Awaited<ReturnType<typeof recorded>>;

describe('npm run reindex', () => {
  let flight: Recorded;
  let table: Recorded;
  let truth: FileIndex;
  beforeAll(async () => {
    flight = await recorded('Flight', 'flight.ts', flightBytes({ seconds: 3 }));
    table = await recorded('Table', 'table.csv', 'time,13,14\n2026-06-01T00:00:00Z,37.5,24.5\n');
    truth = await getJson<FileIndex>(storage, flight.key);
    // As an earlier version saw it: it counted less, of both.
    const klv = { ...truth.klv, streams: truth.klv.streams.map((stream) => ({ ...stream, sets: 1 })) };
    await putJson(storage, flight.key, { ...truth, klv, patSeen: false });
    const sidecar = await getJson<SidecarIndex>(storage, table.key);
    await putJson(storage, table.key, { ...sidecar, records: 7 });
  });
  const contentOf = ({ telemetryKey: _t, segmentsKey: _s, ...content }: FileIndex) => content;

  it('reads the recordings of a mission again, which show the old index meanwhile, and leaves no marks', async () => {
    const before = await flight.indexes();

    await reindex('Flight');

    expect(said).toEqual(['One sensor of one mission will be read again: see Activity.']);
    expect((await flight.telemetry()).time).toHaveLength(75);
    expect(await server.work()).toEqual([]);
    const index = await getJson<FileIndex>(storage, flight.key);
    expect(contentOf(index)).toEqual(contentOf(truth));
    expect(index.telemetryKey).not.toBe(truth.telemetryKey);
    expect((await flight.telemetry()).time).toHaveLength(75);
    expect(await flight.indexes()).toHaveLength(before.length);
    expect((await getJson<SidecarIndex>(storage, table.key)).records).toBe(7);
    // A second order finds nothing to do, and keeps the index.
    const { telemetryKey } = index;
    await queue.enqueue(db, 'ingest', await orderOf(flight));
    await server.work();
    expect((await getJson<FileIndex>(storage, flight.key)).telemetryKey).toBe(telemetryKey);
  });

  it('reads all of them, telemetry in texts too', async () => {
    await reindex('--all');
    await server.work();

    expect(said).toEqual(['2 sensors of 2 missions will be read again: see Activity.']);
    expect((await getJson<SidecarIndex>(storage, table.key)).records).toBe(1);
    expect(await table.indexes()).toHaveLength(3);
  });

  it.each(['Flight', 'Table'])('leaves %s as it was known where it cannot be read any more', async (name) => {
    const one = name === 'Flight' ? flight : table;
    const [index, telemetry] = [await getJson(storage, one.key), await one.telemetry()];
    await storage.put(one.original, [Buffer.from('neither a stream nor a table')]);

    await reindex((await one.mission())._id);

    expect(await server.work()).toEqual([]);
    expect(await storage.stat(one.original)).not.toBeNull();
    expect(await getJson(storage, one.key)).toEqual(index);
    expect(await one.telemetry()).toEqual(telemetry);
    const { state, sensors } = await one.mission();
    expect([state, sensors[0]!.message]).toEqual([
      'Ready',
      expect.stringMatching(/^(flight\.ts|table\.csv) could not be read again, and stays as it was read before: /),
    ]);
  });

  it('says what it does not know', async () => {
    await expect(reindex('Nowhere')).rejects.toThrow('There is no mission Nowhere with recordings to read.');
    await expect(reindex('--some')).rejects.toThrow('Unknown option --some. See npm run reindex -- --help.');
    await expect(reindex('--all', 'Flight')).rejects.toThrow('Either --all or missions, not both.');
    expect(await server.work()).toEqual([]);
  });
});

it('is a command that ends by itself, for any output', async () => {
  const command = resolve(import.meta.dirname, '../../commands/reindex.ts');
  const env = { PATH: process.env.PATH, OSPREY_DATA: server.dataDir, OSPREY_DATABASE_URL: server.databaseUrl };
  const run = (...args: string[]) => promisify(execFile)(process.execPath, [command, ...args], { env });
  await recorded('Survey', 'survey.ts', flightBytes({ seconds: 1 }));

  const [good, bad] = await Promise.all([run('Survey'), run('Nowhere').catch((error: unknown) => error)]);

  expect(good.stdout).toBe('One sensor of one mission will be read again: see Activity.\n');
  expect(bad).toMatchObject({ code: 1, stderr: 'There is no mission Nowhere with recordings to read.\n' });
});

async function orderOf({ mission }: Recorded) {
  const { _id, sensors } = await mission();
  return { missionId: _id, sensorId: sensors[0]!._id };
}
