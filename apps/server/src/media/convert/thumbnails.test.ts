import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mission } from '@osprey/contract';
import { encodeSt0601 } from '@osprey/klv';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { klvFlight } from '../../../test/klv-flight.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { DecoderError } from '../../base/ffmpeg/ffmpeg.ts';
import { thumbnailsJob } from './thumbnails.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { get } = server.ask('SA');
const folder = await mkdtemp(join(tmpdir(), 'osprey-thumbnails-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const START_US = Date.UTC(2026, 5, 1) * 1000;
const SECOND_US = 1_000_000;

/** A file of pictures with a key frame each second, from `startSeconds` on. */
async function file(startSeconds: number, seconds: number) {
  const path = join(folder, `${startSeconds}.ts`);
  const sets = Array.from({ length: seconds * 10 }, (_none, n) => ({
    atSeconds: n / 10,
    bytes: encodeSt0601({ '2': START_US + startSeconds * SECOND_US + n * 100_000, '65': 17 }),
  }));
  await writeFile(path, klvFlight({ seconds, sets }));
  return { path };
}

const { db, storage, events, log } = server.dependencies;

/** The job over the only sensor of a mission, with another decoder. */
function picturesOf(mission: Mission, pictureAt: () => Promise<Buffer>) {
  const ffmpeg = { available: () => true, pictureAt };
  const { run } = thumbnailsJob({ db, storage, changed: events.changed, log, ffmpeg, sheets: async () => [] });
  const sensorId = mission.sensors[0]!._id;
  const order = { jobId: 'j', missionId: mission._id, sensorId, fileId: null, documentId: null };
  return () => run({ ...order, attempt: 1, signal: new AbortController().signal, progress: () => {} });
}

it('makes one picture at most in each 10 s of a recording, also from file to file, and none twice', async () => {
  const { mission } = await server.record({ name: 'long' }, [await file(0, 24), await file(25, 12), await file(60, 3)]);
  const [sensor] = mission.sensors;
  let made = 0;
  const work = picturesOf(mission, async () => {
    made += 1;
    return Buffer.from('jpeg');
  });

  await work();
  const pictures = (await get<{ time: number }[]>(`/api/sensors/pictures/${mission._id}/${sensor!._id}`)).body;

  expect(pictures.map(({ time }) => (time - START_US) / SECOND_US)).toEqual([0, 10, 20, 30, 60]);
  // Includes the picture of the sensor.
  expect(made).toBe(6);
  await work();
  expect(made).toBe(6);
});

it('leaves none of a recording that is removed for good meanwhile, or that became shorter', async () => {
  const { mission } = await server.record({ name: 'shorter' }, [await file(200, 12), await file(212, 12)]);
  const [sensor] = mission.sensors;
  const stored = async () => {
    const keys: string[] = [];
    for await (const { key } of storage.list(`pictures/${mission._id}`)) keys.push(key);
    return keys;
  };
  await picturesOf(mission, async () => Buffer.from('jpeg'))();
  const before = (await stored()).length;
  await server.ask('SA').delete(`/api/sensors/${sensor!._id}/files/${sensor!.assets[1]!._id}`);
  await server.work();

  await picturesOf(mission, async () => Buffer.from('jpeg'))();
  const shorter = (await stored()).length;
  await db.updateTable('sensors').set({ thumbnail: null }).where('id', '=', sensor!._id).execute();
  await picturesOf(mission, async () => {
    await db.deleteFrom('missions').where('id', '=', mission._id).execute();
    return Buffer.from('jpeg');
  })();

  expect(shorter).toBe(before - 1);
  expect(await stored()).toEqual([]);
});

it('T-059 of a recording on which the decoder loops are given up within 90 s', async () => {
  const { mission } = await server.record({ name: 'looping' }, [await file(100, 65)]);
  const now = performance.now.bind(performance);
  let looped = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + looped);
  onTestFinished(() => void vi.restoreAllMocks());

  // Time limit of a decoder for one picture.
  await picturesOf(mission, async () => {
    looped += 20_000;
    throw new DecoderError('No picture could be made: it took too long.', '');
  })();

  expect(looped).toBeGreaterThan(20_000);
  expect(looped).toBeLessThan(90_000);
  expect((await get(`/api/sensors/pictures/${mission._id}/${mission.sensors[0]!._id}`)).body).toEqual([]);
});
