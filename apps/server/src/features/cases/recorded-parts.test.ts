import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bookmark, CasePart, Clip, Mission } from '@osprey/contract';
import { simulateToFile } from '@osprey/simulator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { casesOf } from '../../../test/cases.ts';
import { recordingServer } from '../../../test/recordings.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { db } = server;
const { made, add, parts } = casesOf(server);
const folder = await mkdtemp(join(tmpdir(), 'osprey-case-parts-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const START_US = Date.UTC(2026, 5, 1) * 1000;
let mission: Mission;
let sensorId: string;
let id: string;
let added: CasePart[];

beforeAll(async () => {
  const path = join(folder, 'flight.ts');
  await simulateToFile({ seconds: 4, width: 320, height: 180, startUs: START_US, gop: 25 }, path);
  ({ mission } = await server.record({ name: 'Filmed', audience: 'everyone' }, [{ path }]));
  sensorId = mission.sensors[0]!._id;
  const of = { missionIdOrName: mission._id };
  const mark = { ...of, sensorIdOrName: sensorId, title: 'Mast', position: 1 };
  const bookmark = (await server.ask('U1').post<Bookmark>('/api/bookmarks', mark)).body;
  const cut = { ...of, sensors: [sensorId], title: 'Turn', markIn: '1', markOut: '3' };
  const clip = (await server.ask('U1').post<Clip>('/api/clips', cut)).body;
  id = await made('U1');
  const expected = [
    { kind: 'bookmark', bookmarkId: bookmark._id },
    { kind: 'clip', clipId: clip._id },
    { kind: 'track', sensorId, startTime: START_US + 1e6, endTime: START_US + 2e6, title: 'Way' },
  ];
  const answer = await add('U1', id, expected);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  added = answer.body;
}, 120_000);

it('places parts of recordings where the telemetry says that platform and frame centre were', async () => {
  const rows = (
    await server.asUser('U1').inject({
      url: `/api/sensors/telemetry/${mission._id}/${sensorId}?from=${START_US + 1e6}&to=${START_US + 2e6}`,
    })
  ).json<{ tags: Record<string, number[]> }>();
  const of = (tag: number) => rows.tags[tag]!;
  const [lats, lons] = [
    [...of(13), ...of(23)],
    [...of(14), ...of(24)],
  ];
  const rounded = (value: number) => Math.round(value * 1e5) / 1e5;
  const extent = [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)].map(rounded);

  expect(added.map(({ kind, title, sensorName }) => [kind, title, sensorName])).toEqual([
    ['bookmark', 'Mast', 'EO/IR'],
    ['clip', 'Turn', 'EO/IR'],
    ['track', 'Way', 'EO/IR'],
  ]);
  const [mark, clip, track] = added;
  expect(track!.extent).toEqual(extent);
  for (const part of [mark!, clip!]) {
    const [west, south, east, north] = part.extent!;
    expect([
      west >= extent[0]! - 0.1,
      south >= extent[1]! - 0.1,
      east <= extent[2]! + 0.1,
      north <= extent[3]! + 0.1,
    ]).toEqual(Array(4).fill(true));
  }
});

it('dates parts by their frames: they follow a shift of the sensor, a track does not', async () => {
  const timesOf = async () => (await parts('GA', id)).map(({ startTime, endTime }) => [startTime, endTime]);
  const before = await timesOf();
  expect(before[0]).toEqual([START_US + 1e6, null]);
  expect(before[2]).toEqual([START_US + 1e6, START_US + 2e6]);
  await db.updateTable('sensors').set({ time_shift: 5e6 }).where('id', '=', sensorId).execute();
  const [mark, clip, track] = await timesOf();
  expect(mark).toEqual([before[0]![0]! + 5e6, null]);
  expect(clip).toEqual(before[1]!.map((time) => time! + 5e6));
  expect(track).toEqual(before[2]);
  await db.updateTable('sensors').set({ time_shift: 0 }).where('id', '=', sensorId).execute();
});

it('shows the picture along the sensor that was the last before a part', async () => {
  const { storage } = server.dependencies;
  const list = { pictures: [0, 2].map((second, n) => ({ n, timeUs: START_US + second * 1e6 })) };
  await storage.put(`pictures/${mission._id}/${sensorId}.json`, [Buffer.from(JSON.stringify(list))]);
  expect((await parts('GA', id)).map(({ thumbnailUrl }) => thumbnailUrl)).toEqual(
    Array(3).fill(`/videos/${mission._id}/${sensorId}-0.jpg`),
  );
  await storage.removeAll(`pictures/${mission._id}`);
  expect((await parts('GA', id)).map(({ thumbnailUrl }) => thumbnailUrl)).toEqual([null, null, null]);
});
