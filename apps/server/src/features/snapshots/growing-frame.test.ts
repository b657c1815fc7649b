import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentRow, SnapshotMark, SnapshotMoment } from '@osprey/contract';
import { createDemuxer } from '@osprey/mpegts';
import { simulateToFile } from '@osprey/simulator';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { addPlatform, sensorsOf } from '../../../test/platforms.ts';
import { testRecorder } from '../../../test/recorder.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { originalKey } from '../../base/storage/originals.ts';

const server = await recordingServer({ jobs: ['ingest', 'document'] });
const recorder = await testRecorder(server.dataDir);
const { db, groups, dependencies } = server;
const folder = await mkdtemp(join(tmpdir(), 'osprey-growing-test-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeAll(() => vi.waitFor(() => expect(server.coordination.mirror.connected()).toBe(true)));

const startedUs = Date.UTC(2026, 5, 1, 9) * 1000;
const [missionId, sensorId, fileId] = [randomUUID(), randomUUID(), randomUUID()];
let segments: { offset: number; sizeBytes: number; startUs: number; durationSeconds: number }[] = [];
let liveSensorId = '';

beforeAll(async () => {
  const platformId = await addPlatform(db, { usergroups: [groups.G1] });
  liveSensorId = (await sensorsOf(db, platformId)).EO ?? '';
  const path = join(folder, 'growing.ts');
  await simulateToFile({ seconds: 8, width: 320, height: 180, seed: 7, startUs: startedUs }, path);
  const bytes = await readFile(path);
  const keys: { offset: number; ticks: number }[] = [];
  const demuxer = createDemuxer({
    accessUnit({ keyframe, offset, ptsTicks }) {
      if (keyframe) keys.push({ offset, ticks: ptsTicks! });
    },
  });
  demuxer.push(bytes);
  demuxer.end();
  segments = keys.slice(0, -1).map(({ offset, ticks }, n) => {
    const next = keys[n + 1]!;
    const from = n === 0 ? 0 : offset;
    const startUs = startedUs + Math.round((ticks - keys[0]!.ticks) / 0.09);
    return { offset: from, sizeBytes: next.offset - from, startUs, durationSeconds: (next.ticks - ticks) / 90_000 };
  });
  await dependencies.storage.put(originalKey(sensorId, fileId), [bytes]);
  recorder.source(platformId, liveSensorId);
  recorder.put({
    ...{ missionId, missionName: 'Running', description: '', tags: [], classification: 2, marked: true },
    ...{ audience: 'groups', usergroups: [groups.G1!], priority: 5, cause: 'manual', state: 'recording' },
    platform: { platformId, name: 'KEA', type: 'Plane', color: '#22ccdd' },
    ...{ startedUs, endedUs: null, stopReason: null },
    sensors: [
      {
        ...{ liveSensorId, sensorId, name: 'EO', description: '', type: 'video', state: 'recording', error: null },
        files: [
          {
            ...{ fileId, startedUs, endedUs: null, sizeBytes: bytes.length, durationSeconds: 8, segments: 0 },
            ...{ indexed: false, suspect: false, cause: 'start' },
          },
        ],
      },
    ],
  });
});

/** Segments as far as they are whole by now. */
function say(from: number, to: number): void {
  for (const [n, segment] of segments.entries()) {
    if (n < from || n >= to) continue;
    const place = { missionId, sensorId: liveSensorId, fileId, n, discontinuity: n === 0 };
    recorder.say({ kind: 'segment', segment: { ...place, ...segment } });
  }
}

const take = (timestamp: number, fields: object = {}) =>
  server.ask('U1').post<DocumentRow>('/api/snapshots', {
    ...{ missionName: missionId, sensorName: sensorId, title: 'A ferry', timestamp },
    ...{ audience: 'groups', usergroups: [groups.G1], securityClassification: 'RESTRICTED', ...fields },
  });

it('is decoded by the server from the recording that goes on, with its telemetry and its place', async () => {
  expect(segments.length).toBeGreaterThan(2);
  say(0, 1);
  const timestamp = startedUs + 1_100_000;
  await expect.poll(async () => (await take(timestamp)).status).toBe(200);

  const { body } = await take(timestamp, { title: 'Another ferry' });

  expect(body).toMatchObject({ snapshot: 'server', geometry: { type: 'Polygon' } });
  const moment = (await server.ask('U1').get<SnapshotMoment>(`/api/snapshots/${body._id}/moment`)).body;
  expect(moment).toMatchObject({ picture: 'server', telemetry: { hex: expect.stringMatching(/^060e2b34/) } });
  expect(timestamp - moment.time).toBeGreaterThanOrEqual(0);
  expect(timestamp - moment.time).toBeLessThan(40_000);
  expect(Math.abs(moment.telemetry!.time - moment.time)).toBeLessThan(200_000);
  const { raw } = await server.ask('U1').get(`/api/documents/${body._id}/content`);
  expect(await sharp(raw).metadata()).toMatchObject({ format: 'jpeg', width: 320, height: 180 });
  const marks = (await server.ask('U1').get<SnapshotMark[]>(`/api/snapshots?missionIdOrName=${missionId}`)).body;
  expect(marks.map(({ time }) => time)).toContain(moment.time);
});

it('waits until the segment of the picture is whole', async () => {
  const { startUs } = segments[1]!;
  const taking = take(startUs + 100_000, { title: 'At the live edge' });
  await expect
    .poll(() =>
      server
        .ask('U1')
        .get('/api/info')
        .then(({ status }) => status),
    )
    .toBe(200);
  say(1, 2);

  expect((await taking).body).toMatchObject({ snapshot: 'server' });
});

it('is the picture of the browser where the recording has none of this moment', async () => {
  const picture = await sharp({ create: { width: 32, height: 18, channels: 3, background: '#0000ff' } })
    .jpeg()
    .toBuffer();
  const sent = { snapshotDataUrl: `data:image/jpeg;base64,${picture.toString('base64')}`, title: 'Before it' };

  expect((await take(startedUs - 60_000_000, sent)).body).toMatchObject({ snapshot: 'browser' });
});

it('is tied to its very frame once the recording has been read', async () => {
  const path = join(folder, 'growing.ts');
  const { mission } = await server.record({ name: 'Read', audience: 'groups', usergroups: [groups.G1!] }, [{ path }]);
  const sensorName = mission.sensors[0]!._id;
  const timestamp = startedUs + 3_210_000;
  const { body } = await take(timestamp, { missionName: mission._id, sensorName });
  const momentOf = async () => (await server.ask('U1').get<SnapshotMoment>(`/api/snapshots/${body._id}/moment`)).body;
  const { time } = await momentOf();
  const stored = db.selectFrom('snapshots').where('document_id', '=', body._id).select(['file_id', 'run', 'pts']);
  const frame = await stored.executeTakeFirstOrThrow();
  // As it was while the recording went on.
  const none = { file_id: null, run: null, pts: null, taken_time: time };
  await db.updateTable('snapshots').set(none).where('document_id', '=', body._id).execute();

  expect(await momentOf()).toMatchObject({ shown: true, time });
  expect(await stored.executeTakeFirstOrThrow()).toEqual(frame);
});
