import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it, vi } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { flightBytes } from '../../../test/flight.ts';
import { addFile, addMission, addSensor } from '../../../test/missions.ts';
import { addPlatform, sensorsOf } from '../../../test/platforms.ts';
import { testRecorder } from '../../../test/recorder.ts';
import { testServer } from '../../../test/server.ts';
import { ffmpegTools } from '../../base/ffmpeg/ffmpeg.ts';
import { findSandbox } from '../../base/ffmpeg/sandbox.ts';
import type { JobDefinition } from '../../base/jobs/definition.ts';
import { jobRunner } from '../../base/jobs/runner.ts';
import { originalKey } from '../../base/storage/originals.ts';
import { jobDefinitions } from '../../compose/job-definitions.ts';
import { indexFile } from '../../media/index/build-file-index.ts';
import type { Recording } from '../../recorder-wire/protocol.ts';

const server = await testServer();
const recorder = await testRecorder(server.dataDir);
const { db, dependencies } = server;
const { storage, queue } = dependencies;
const SENSORS = ['EO', 'IR', 'SWIR', 'LEFT', 'RIGHT'];
const nowUs = () => Date.now() * 1000;
const flight = flightBytes({ seconds: 4 });

beforeAll(() => vi.waitFor(() => expect(server.coordination.mirror.connected()).toBe(true)));

/** A worker whose ingest of these sensors lasts until it is released. */
async function startWorker(longSensors: readonly string[]) {
  const gate = Promise.withResolvers<void>();
  const ffmpeg = ffmpegTools({ sandbox: await findSandbox('auto') });
  const definitions = jobDefinitions({ ...dependencies, ffmpeg })
    .filter(({ kind }) => kind === 'ingest')
    .map((definition): JobDefinition => {
      const { run } = definition;
      return { ...definition, run: (job) => (longSensors.includes(job.sensorId ?? '') ? gate.promise : run(job)) };
    });
  const runner = jobRunner({ ...dependencies, definitions, changed: () => undefined });
  await runner.start();
  atEnd(async () => {
    gate.resolve();
    await runner.stop();
  });
}

/** A sensor with an upload, and the job that reads it. */
async function uploaded() {
  const missionId = await addMission(db);
  const sensorId = await addSensor(db, missionId);
  await addFile(db, sensorId, { storage_key: originalKey(sensorId, randomUUID()) });
  return { sensorId, jobId: await queue.enqueue(db, 'ingest', { missionId, sensorId }) };
}

async function recording(): Promise<Recording> {
  const platformId = await addPlatform(db, { sensors: SENSORS });
  const live = await sensorsOf(db, platformId);
  return {
    ...{ missionId: randomUUID(), missionName: `m-${randomUUID()}`, description: '', tags: [] },
    platform: { platformId, name: 'KEA', type: 'Plane', color: '#22ccdd' },
    ...{ classification: 1, marked: true, audience: 'everyone', usergroups: [] },
    ...{ priority: 5, cause: 'manual', state: 'recording', startedUs: nowUs(), endedUs: null, stopReason: null },
    sensors: SENSORS.map((name) => ({
      ...{ liveSensorId: live[name]!, sensorId: randomUUID(), name, description: '', type: 'video' },
      ...{ state: 'recording', files: [], error: null },
    })),
  };
}

/** A file with its index, as it is when a recording has ended. */
async function recordedFile(missionId: string, { liveSensorId, sensorId }: Recording['sensors'][number]) {
  const { fileId } = recorder.file(missionId, liveSensorId, {
    ...{ sizeBytes: flight.length, durationSeconds: 4, endedUs: nowUs(), indexed: true },
  });
  const file = { id: fileId, key: originalKey(sensorId, fileId) };
  await storage.put(file.key, [flight]);
  const none = { onMark: async () => undefined, onProgress: () => undefined, signal: new AbortController().signal };
  await indexFile({ storage, sensorId, file, nowUs: nowUs(), ...none });
}

const stateOf = async (table: 'missions' | 'jobs', id: string) =>
  (await db.selectFrom(table).select('state').where('id', '=', id).executeTakeFirst())?.state;

it('a recording of several sensors is Ready while a long upload is still read, and another one waits for that', async () => {
  const [long, waiting] = [await uploaded(), await uploaded()];
  await startWorker([long.sensorId, waiting.sensorId]);
  await expect.poll(() => stateOf('jobs', long.jobId)).toBe('running');
  const recorded = await recording();
  recorder.put(recorded);
  await expect.poll(() => stateOf('missions', recorded.missionId)).toBe('Running');
  for (const sensor of recorded.sensors) await recordedFile(recorded.missionId, sensor);

  recorder.end(recorded.missionId, 'stream ended');

  await expect.poll(() => stateOf('missions', recorded.missionId)).toBe('Ready');
  expect([await stateOf('jobs', long.jobId), await stateOf('jobs', waiting.jobId)]).toEqual(['running', 'waiting']);
});
