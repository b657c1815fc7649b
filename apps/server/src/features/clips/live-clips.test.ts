import { randomUUID } from 'node:crypto';
import { createDemuxer } from '@osprey/mpegts';
import { beforeAll, expect, it, vi } from 'vitest';
import { flightBytes } from '../../../test/flight.ts';
import { addPlatform, sensorsOf } from '../../../test/platforms.ts';
import { testRecorder } from '../../../test/recorder.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { originalKey } from '../../base/storage/originals.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const recorder = await testRecorder(server.dataDir);
const { db, groups, dependencies } = server;
beforeAll(() => vi.waitFor(() => expect(server.coordination.mirror.connected()).toBe(true)));

it('cuts a recording that goes on, by the segments that lie whole in its file', async () => {
  const platformId = await addPlatform(db, { usergroups: [groups.G1] });
  const { EO = '' } = await sensorsOf(db, platformId);
  const bytes = flightBytes({ seconds: 12 });
  const keys: { offset: number; ticks: number }[] = [];
  const demuxer = createDemuxer({
    accessUnit({ keyframe, offset, ptsTicks }) {
      if (keyframe) keys.push({ offset, ticks: ptsTicks! });
    },
  });
  demuxer.push(bytes);
  demuxer.end();
  const startedUs = Date.UTC(2026, 5, 1, 9) * 1000;
  const [missionId, sensorId, fileId] = [randomUUID(), randomUUID(), randomUUID()];
  await dependencies.storage.put(originalKey(sensorId, fileId), [bytes]);
  recorder.source(platformId, EO);
  recorder.put({
    ...{ missionId, missionName: 'Running', description: '', tags: [], classification: 2, marked: true },
    ...{ audience: 'groups', usergroups: [groups.G1!], priority: 5, cause: 'manual', state: 'recording' },
    platform: { platformId, name: 'KEA', type: 'Plane', color: '#22ccdd' },
    ...{ startedUs, endedUs: null, stopReason: null },
    sensors: [
      {
        ...{ liveSensorId: EO, sensorId, name: 'EO', description: '', type: 'video', state: 'recording', error: null },
        files: [
          {
            ...{ fileId, startedUs, endedUs: null, sizeBytes: bytes.length, durationSeconds: 12, segments: 0 },
            ...{ indexed: false, suspect: false, cause: 'start' },
          },
        ],
      },
    ],
  });
  // The last picture group is still being written.
  for (const [n, { offset, ticks }] of keys.slice(0, -1).entries()) {
    const next = keys[n + 1]!;
    recorder.say({
      kind: 'segment',
      segment: {
        ...{ missionId, sensorId: EO, fileId, n, offset: n === 0 ? 0 : offset, discontinuity: n === 0 },
        sizeBytes: next.offset - (n === 0 ? 0 : offset),
        startUs: startedUs + Math.round((ticks - keys[0]!.ticks) / 0.09),
        durationSeconds: (next.ticks - ticks) / 90_000,
      },
    });
  }
  const ask = () => server.ask('U1').get(`/api/sensors/exportVideo/${missionId}/${sensorId}?markIn=3.5&markOut=7`);
  await expect.poll(async () => (await ask()).status).toBe(200);

  const { raw, headers } = await ask();

  expect(headers['content-disposition']).toContain('osprey_RESTRICTED_Running_EO_');
  const times: number[] = [];
  const cut = createDemuxer({
    accessUnit({ ptsTicks, keyframe }) {
      if (times.length === 0) expect(keyframe).toBe(true);
      times.push((ptsTicks! - keys[0]!.ticks) / 90_000);
    },
  });
  cut.push(raw);
  expect(cut.end().faults).toMatchObject({ continuityErrors: 0, brokenPes: 0 });
  expect(times[0]).toBeLessThanOrEqual(3.5);
  expect(times.at(-1)).toBeGreaterThan(6.9);
  expect(times.at(-1)).toBeLessThan(7);

  const mp4 = await server
    .ask('U1')
    .get(`/api/sensors/exportVideo/${missionId}/${sensorId}?markIn=3.5&markOut=7&format=mp4`);
  expect([mp4.status, mp4.raw.toString('latin1', 4, 8)]).toEqual([200, 'ftyp']);
  expect(Number(mp4.headers['content-length'])).toBe(mp4.raw.length);
});
