import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PictureSheet, SHEET_US } from '@osprey/contract';
import { simulateToFile } from '@osprey/simulator';
import { afterAll, expect, it } from 'vitest';
import { addMission, addSensor } from '../../../test/missions.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { ffmpegTools, type PictureOrder } from '../../base/ffmpeg/ffmpeg.ts';
import { findSandbox } from '../../base/ffmpeg/sandbox.ts';
import { originalKey } from '../../base/storage/originals.ts';
import { makeSheets, type SheetsToMake } from '../../media/convert/sheets.ts';
import { thumbnailsJob } from '../../media/convert/thumbnails.ts';
import { growingKey } from '../../media/index/growing-stills.ts';
import type { RecordedSegment, Recording } from '../../recorder-wire/protocol.ts';
import { growingPictures } from './growing-pictures.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { db, dependencies } = server;
const { storage, queue, events, log } = dependencies;
const SECOND = 1_000_000;
const START_US = Date.UTC(2026, 5, 1) * 1000;
const path = join(tmpdir(), `osprey-growing-${process.pid}.ts`);
afterAll(() => rm(path, { force: true }));

/** A sensor that is being recorded: each of its segments of 4 s has the bytes of the same flight. */
async function running() {
  await simulateToFile({ seconds: 2, width: 320, height: 180 }, path);
  const bytes = await readFile(path);
  const missionId = await addMission(db, { name: 'flying', audience: 'everyone', state: 'Running' });
  const sensorId = await addSensor(db, missionId, { name: 'EO', state: 'Running' });
  const fileId = crypto.randomUUID();
  await storage.put(originalKey(sensorId, fileId), [bytes]);
  const segments: RecordedSegment[] = [];
  const sensors = [{ sensorId, type: 'video', files: [{ fileId }] }] as unknown as Recording['sensors'];
  const recording = { missionId, sensors } as Recording;
  const mirror = { running: () => [recording], segments: () => segments };
  const written = new Set<string>();
  const pictures = growingPictures({ db, storage, mirror, queue, log, isWritten: (id) => written.has(id) });
  afterAll(() => pictures.close());
  return {
    ...{ missionId, sensorId, pictures, written },
    /** Records until this second. */
    grow(until: number) {
      for (let n = segments.length; n * 4 <= until; n += 1) {
        const place = { missionId, sensorId, fileId, n, offset: 0, sizeBytes: bytes.length };
        segments.push({ ...place, startUs: START_US + n * 4 * SECOND, durationSeconds: 4, discontinuity: false });
      }
    },
  };
}

it('has a sheet for each ten minutes while it is recorded, with the times of arrival', async () => {
  const { missionId, sensorId, pictures, written, grow } = await running();
  const real = ffmpegTools({ sandbox: await findSandbox('auto') });
  let decoded = 0;
  let last: Buffer | null = null;
  const pictureAt = async (order: PictureOrder) => {
    decoded += 1;
    // The segments are the same, so the decoder is asked once in a window only.
    last = decoded % 50 === 1 || last === null ? await real.pictureAt(order) : last;
    return last;
  };
  const sheets = (order: SheetsToMake) => makeSheets({ storage, ffmpeg: real, log }, order);
  const ffmpeg = { available: real.available, pictureAt };
  const job = thumbnailsJob({ db, storage, changed: events.changed, log, ffmpeg, sheets });
  const waiting = () =>
    db.selectFrom('jobs').selectAll().where('kind', '=', 'thumbnails').where('state', '=', 'waiting').execute();
  async function work(): Promise<number> {
    const jobs = await waiting();
    const order = { jobId: 'j', missionId, sensorId, fileId: null, documentId: null, attempt: 1 };
    for (const { id } of jobs) {
      await job.run({ ...order, signal: new AbortController().signal, progress: () => undefined });
      await db.updateTable('jobs').set({ state: 'done' }).where('id', '=', id).execute();
    }
    return jobs.length;
  }
  const listed = async () =>
    (await server.ask('U1').get<PictureSheet[]>(`/api/sensors/sheets/${missionId}/${sensorId}`)).body;

  grow(700);
  await pictures.look();
  expect(await waiting()).toEqual([]);
  written.add(missionId);
  await pictures.look();
  expect(await work()).toBe(1);
  const [first, ...others] = await listed();
  expect(others).toEqual([]);
  // The first segment that begins at least 10 s after the one before: each third.
  expect(first!.times).toEqual(Array.from({ length: 50 }, (_none, n) => START_US + n * 12 * SECOND));
  expect((await server.ask('U1').get(first!.url)).status).toBe(200);

  grow(900);
  await pictures.look();
  expect(await waiting()).toEqual([]);
  grow(1300);
  await pictures.look();
  expect(await work()).toBe(1);
  const [same, second] = await listed();
  expect(same).toEqual(first);
  expect(second!.times[0]).toBe(START_US + SHEET_US);
  expect(decoded).toBe(100);

  // Its index has other times, so neither these sheets nor these pictures are shown from then on.
  await db.updateTable('sensors').set({ index_key: 'indexes/a/sensor-b.json' }).where('id', '=', sensorId).execute();
  expect(await listed()).toEqual([]);
  expect((await server.ask('U1').get(`/api/sensors/pictures/${missionId}/${sensorId}`)).body).toEqual([]);
  expect(await storage.stat(growingKey(missionId, sensorId))).not.toBeNull();
});
