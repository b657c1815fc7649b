import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MissionUpdate } from '@osprey/contract';
import { afterAll, beforeEach, describe, expect } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { testDatabase } from '../../../test/database.ts';
import { addMission, addSensor, addUser } from '../../../test/missions.ts';
import { ffmpegTools } from '../../base/ffmpeg/ffmpeg.ts';
import { findSandbox } from '../../base/ffmpeg/sandbox.ts';
import { folderStorage } from '../../base/storage/folder.ts';
import { getJson } from '../index/file-index.ts';
import type { SensorIndex } from '../index/sensor-index.ts';
import { ingestJob } from './ingest.ts';

const db = await testDatabase();
const root = await mkdtemp(join(tmpdir(), 'osprey-ingest-'));
afterAll(() => rm(root, { recursive: true, force: true }));
const storage = folderStorage({ root });

const NOW_US = Date.UTC(2026, 0, 1) * 1000;
let flow: MissionUpdate[] = [];
let onFlow: (update: MissionUpdate) => void = () => {};
let ordered: string[] = [];
let audited: string[] = [];
let failed: { user: string; mission: string; text: string }[] = [];

const job = ingestJob({
  db,
  storage,
  ffmpeg: ffmpegTools({ sandbox: await findSandbox('auto') }),
  reserveBytes: 0,
  log: { warn: () => {} },
  queue: {
    enqueue: async (_db, kind) => {
      ordered.push(kind);
      return kind;
    },
  },
  flow: (update) => {
    flow.push(update);
    onFlow(update);
  },
  fileFailed: (failure) => failed.push(failure),
  changed: () => {},
  audit: async ({ action }) => {
    audited.push(action);
  },
  nowUs: () => NOW_US,
  readAis: async () => ({ files: [] }),
});

beforeEach(async () => {
  flow = [];
  onFlow = () => {};
  ordered = [];
  audited = [];
  failed = [];
  await db.deleteFrom('missions').execute();
});

type Given = { path: string; name?: string; lastModified?: number; kind?: string; uploadedBy?: string };

async function sensorWith(files: Given[], fields: object = {}): Promise<{ missionId: string; sensorId: string }> {
  const missionId = await addMission(db, { name: 'M', state: 'Processing', ...fields });
  const sensorId = await addSensor(db, missionId, { state: 'Processing' });
  for (const { path, name = path, lastModified = null, kind = 'ts', uploadedBy = null } of files) {
    const id = crypto.randomUUID();
    const key = `originals/${sensorId}/${id}.${kind === 'ts' ? 'ts' : 'json'}`;
    const source = testData(path);
    await storage.put(key, createReadStream(source));
    await db
      .insertInto('files')
      .values({
        id,
        sensor_id: sensorId,
        kind,
        name,
        size_bytes: (await stat(source)).size,
        sha256: null,
        storage_key: key,
        rendition_key: null,
        message: null,
        last_modified: lastModified,
        start_time: null,
        end_time: null,
        uploaded_by: uploadedBy,
        created: NOW_US,
      })
      .execute();
  }
  return { missionId, sensorId };
}

const untroubled = () => ({ attempt: 1, signal: new AbortController().signal, progress: () => {} });

async function ingested(files: Given[], fields: object = {}) {
  const { missionId, sensorId } = await sensorWith(files, fields);
  await job.run({ jobId: 'j', missionId, sensorId, fileId: null, ...untroubled() });
  const mission = await db.selectFrom('missions').selectAll().where('id', '=', missionId).executeTakeFirstOrThrow();
  const sensor = await db.selectFrom('sensors').selectAll().where('id', '=', sensorId).executeTakeFirstOrThrow();
  const rows = await db.selectFrom('files').selectAll().where('sensor_id', '=', sensorId).orderBy('position').execute();
  const index = await getJson<SensorIndex>(storage, sensor.index_key ?? '');
  return { mission, sensor, files: rows, index };
}

describe('ingest', () => {
  itWithData('makes a real recording Ready, with times, area, shapes and telemetry', async () => {
    const { mission, sensor, index } = await ingested([{ path: 'ts/osh/sample-stream.ts' }]);

    expect(mission).toMatchObject({ state: 'Ready', start_time: 1340980354100000, stream_mark: 1, classification: 1 });
    expect(sensor).toMatchObject({ state: 'Ready', time_source: 'klv', message: null });
    expect(sensor.duration_seconds).toBeCloseTo(9.233, 2);
    expect(mission.area_sq_km).toBeGreaterThan(0);
    expect(mission.place_lat).toBeCloseTo(34.72, 1);
    expect(index.timeline?.runs).toHaveLength(1);
    expect(index.health).toMatchObject({ sets: 277, checksum: { good: 277, bad: 0, missing: 0 } });
    expect(ordered).toEqual(['thumbnails']);
    expect(flow.map(({ type }) => type)).toEqual([
      'ingest_start',
      'ingest_progress',
      'areaCalculation',
      'areaCalculation',
      'ingest_complete',
    ]);
    expect(failed).toEqual([]);
  });

  itWithData('dates what has no clock by its own time less its length, else by its upload', async () => {
    const path = 'field/plain-3s.ts';
    const writtenUs = Date.UTC(2020, 4, 17, 12) * 1000;

    const reported = await ingested([{ path, lastModified: writtenUs }]);
    const pending = await ingested([{ path }]);

    for (const [{ sensor, index }, endUs] of [[reported, writtenUs] as const, [pending, NOW_US] as const]) {
      const { startTime, endTime } = index.timeline!;
      expect(endTime).toBe(endUs);
      expect(endTime - startTime).toBeCloseTo(3e6, -5);
      expect(sensor.start_time).toBe(startTime);
    }
    expect([reported.sensor.time_source, pending.sensor.time_source]).toEqual(['file', 'upload']);
  });

  itWithData('lets files without a clock follow each other in the natural order of their names', async () => {
    const given = ['clip 10.ts', 'clip 9.ts', 'Clip 2.ts'].map((name) => ({ path: 'field/plain-3s.ts', name }));

    const { files, index } = await ingested(given);

    expect(files.map(({ name }) => name)).toEqual(['Clip 2.ts', 'clip 9.ts', 'clip 10.ts']);
    expect(index.files.map(({ fileId }) => fileId)).toEqual(files.map(({ id }) => id));
    for (const [at, { window }] of index.files.slice(1).entries()) expect(window[0]).toBe(index.files[at]!.window[1]);
  });

  itWithData('reports each refused file to its sender, and goes on with the others', async () => {
    const [sender, other] = [await addUser(db, 'sender', 'admin'), await addUser(db, 'other', 'admin')];
    const { mission, sensor, files } = await ingested([
      { path: 'bad/ts/text.ts', name: 'noise.ts', uploadedBy: sender },
      { path: 'ts/osh/sample-stream.ts', name: 'flight.ts', uploadedBy: other },
      { path: 'bad/ts/text.ts', name: 'found in a folder.ts' },
    ]);

    expect(mission.state).toBe('Ready');
    expect(files.map(({ name }) => name)).toEqual(['flight.ts']);
    const errors = flow.filter(({ type }) => type === 'error').map(({ text }) => text);
    expect(errors.map((text) => text?.split(':')[0]).sort()).toEqual(['found in a folder.ts', 'noise.ts']);
    for (const text of errors) expect(sensor.message).toContain(text);
    expect(failed).toEqual([{ user: sender, mission: mission.id, text: expect.any(String) }]);
    expect(failed[0]!.text).toMatch(
      /^noise\.ts of mission M: The file was refused: .+\. Check the file and upload it again\.$/,
    );
  });

  itWithData('keeps what it refuses of a mission on hold, as a failed file', async () => {
    const given = [{ path: 'ts/osh/sample-stream.ts' }, { path: 'bad/ts/text.ts', name: 'noise.ts' }];
    const { files } = await ingested(given, { hold_reason: 'evidence of a case' });

    const noise = files.find(({ name }) => name === 'noise.ts')!;
    expect(noise).toMatchObject({ state: 'failed', message: expect.stringMatching(/^noise\.ts: /) });
    expect(await storage.stat(noise.storage_key)).toMatchObject({ sizeBytes: noise.size_bytes });
  });

  itWithData('that fails for good reports the remaining files to their senders, and how to go on', async () => {
    const sender = await addUser(db, 'late sender', 'admin');
    const ids = await sensorWith([{ path: 'ts/osh/sample-stream.ts', name: 'flight.ts', uploadedBy: sender }]);
    const end = { jobId: 'j', ...ids, fileId: null, sentence: 'The server failed at this step.' };

    await job.ended({ ...end, outcome: 'failed' });

    const text =
      'flight.ts of mission M: The server failed at this step. Try it again under Activity, or ask an admin.';
    expect(failed).toEqual([{ user: sender, mission: ids.missionId, text }]);
    // The user who cancels knows it.
    failed = [];
    await db.updateTable('files').set({ state: 'waiting' }).where('sensor_id', '=', ids.sensorId).execute();
    await job.ended({ ...end, outcome: 'cancelled' });
    expect(failed).toEqual([]);
  });

  itWithData('that is tried again says no longer what the last try ended with', async () => {
    const ids = await sensorWith([{ path: 'ts/osh/sample-stream.ts' }]);
    await job.ended({ jobId: 'j', ...ids, fileId: null, sentence: 'The disk was full.', outcome: 'failed' });
    const rows = async () => ({
      mission: await db.selectFrom('missions').select(['state', 'message']).executeTakeFirstOrThrow(),
      sensor: await db.selectFrom('sensors').select(['state', 'message']).executeTakeFirstOrThrow(),
      file: await db.selectFrom('files').select('message').executeTakeFirstOrThrow(),
    });
    expect(await rows()).toMatchObject({ mission: { state: 'Stopped', message: 'The disk was full.' } });
    let atStart: ReturnType<typeof rows> | null = null;
    onFlow = ({ type }) => {
      if (type === 'ingest_start') atStart = rows();
    };

    await job.run({ jobId: 'j', ...ids, fileId: null, ...untroubled() });

    const quiet = { state: 'Processing', message: null };
    expect(await atStart).toEqual({ mission: quiet, sensor: quiet, file: { message: null } });
    expect(await rows()).toMatchObject({ sensor: { state: 'Ready', message: null } });
  });
});
