import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MissionUpdate } from '@osprey/contract';
import { afterAll, beforeEach, describe, expect } from 'vitest';
import { itWithData, testData } from '../../../../tools/test-support/test-data.ts';
import { testDatabase } from '../../test/database.ts';
import { addMission, addSensor } from '../../test/missions.ts';
import { folderStorage } from '../storage/folder.ts';
import { getJson } from './file-index.ts';
import { ingestJob } from './ingest.ts';
import type { SensorIndex } from './sensor-index.ts';

const db = await testDatabase();
const root = await mkdtemp(join(tmpdir(), 'osprey-ingest-'));
afterAll(() => rm(root, { recursive: true, force: true }));
const storage = folderStorage({ root });

const NOW_US = Date.UTC(2026, 0, 1) * 1000;
let flow: MissionUpdate[] = [];
let ordered: string[] = [];
let audited: string[] = [];

const job = ingestJob({
  db,
  storage,
  queue: {
    enqueue: async (_db, kind) => {
      ordered.push(kind);
      return kind;
    },
  },
  flow: (update) => flow.push(update),
  changed: () => {},
  audit: async ({ action }) => {
    audited.push(action);
  },
  nowUs: () => NOW_US,
});

beforeEach(async () => {
  flow = [];
  ordered = [];
  audited = [];
  await db.deleteFrom('missions').execute();
});

type Given = { path: string; name?: string; lastModified?: number; kind?: string };

async function sensorWith(files: Given[]): Promise<{ missionId: string; sensorId: string }> {
  const missionId = await addMission(db, { name: 'M', state: 'Processing' });
  const sensorId = await addSensor(db, missionId, { state: 'Processing' });
  for (const { path, name = path, lastModified = null, kind = 'ts' } of files) {
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
        uploaded_by: null,
        created: NOW_US,
      })
      .execute();
  }
  return { missionId, sensorId };
}

async function ingested(files: Given[]) {
  const { missionId, sensorId } = await sensorWith(files);
  await job.run({
    jobId: 'j',
    missionId,
    sensorId,
    fileId: null,
    attempt: 1,
    signal: new AbortController().signal,
    progress: () => {},
  });
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
  });
});
