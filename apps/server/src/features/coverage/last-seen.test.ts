import type { LastSeenTile, Lookback } from '@osprey/contract';
import { type Position, ringOfCell, type Sighting } from '@osprey/geo';
import { sql } from 'kysely';
import { beforeAll, expect } from 'vitest';
import { itWithData as it, testData } from '../../../../../tools/test-support/test-data.ts';
import { numbers } from '../../../test/numbers.ts';
import { askAs, recordingServer } from '../../../test/recordings.ts';
import { getJson } from '../../media/index/file-index.ts';
import type { SensorIndex } from '../../media/index/sensor-index.ts';
import { sightingsOf } from '../../media/ingest/coverage.ts';
import { coverageKeeping } from '../../media/ingest/coverage-keeping.ts';
import { telemetryReader } from '../../telemetry/reader.ts';

const server = await recordingServer();
const { db, dependencies } = server;
const FILES = ['ts/osh/sample-stream.ts', 'ts/kwiver/aphill_klv_10s.ts'];
const keeping = coverageKeeping({ ...dependencies, changed: () => undefined });

type Own = { id: string; sensorId: string; sightings: Sighting[] };
const own: Own[] = [];

beforeAll(async () => {
  for (const file of FILES) {
    const { mission } = await server.record({ name: file.replaceAll('/', '_') }, [{ path: testData(file) }]);
    const sensorId = mission.sensors[0]!._id;
    const row = await db.selectFrom('sensors').select('index_key').where('id', '=', sensorId).executeTakeFirstOrThrow();
    const index = await getJson<SensorIndex>(dependencies.storage, row.index_key!);
    const sightings: Sighting[] = [];
    for await (const one of sightingsOf(telemetryReader(dependencies), index)) sightings.push(one);
    own.push({ id: mission._id, sensorId, sightings });
  }
  await keeping.look();
});

type Place = { zoom: number; x: number; y: number };
const askTile = async ({ zoom, x, y }: Place, more = '', who: 'SA' | 'U0' = 'SA') =>
  (await askAs(server, who).get<LastSeenTile>(`/api/coverage/last-seen?zoom=${zoom}&x=${x}&y=${y}${more}`)).body;

function tileAt([lon, lat]: Position, zoom: number): Place {
  const y = (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2;
  return { zoom, x: Math.floor(((lon + 180) / 360) * 2 ** zoom), y: Math.floor(y * 2 ** zoom) };
}

/** A cell as a shape that is looked back at: its sides along parallels as many short great circles. */
function shapeOfCell(cell: { level: number; column: number; row: number }): object {
  const [southWest, southEast, northEast, northWest] = ringOfCell(cell) as [Position, Position, Position, Position];
  const STEPS = 20;
  const along = (from: Position, to: Position) =>
    Array.from({ length: STEPS }, (_, at): Position => [from[0] + ((to[0] - from[0]) * at) / STEPS, from[1]]);
  const ring = [...along(southWest, southEast), southEast, ...along(northEast, northWest), northWest, southWest];
  return { type: 'Polygon', coordinates: [ring] };
}

/** Asks of random cells, half of them at moments within the recordings. Returns how many had been seen. */
async function compareCells(count: number): Promise<number> {
  const random = numbers(11);
  let [asked, seen] = [0, 0];
  while (asked < count) {
    const { sightings } = own[asked % own.length]!;
    const view = sightings[Math.floor(random() * sightings.length)]!;
    const zoom = Math.floor(random() * 15);
    // Near a corner, where cells that were seen lie next to those that were not.
    const [lon, lat] = view.corners[asked % 4]!;
    const isPast = random() < 0.5;
    const atUs = isPast ? Math.round(view.timeUs + (random() * 4 - 1) * 1e6) : Date.now() * 1000;
    const { level, cells } = await askTile(tileAt([lon, lat], zoom), `&at=${atUs}`);
    const existing = new Map<string, number>();
    for (let at = 0; at < cells.length; at += 3) existing.set(`${cells[at]} ${cells[at + 1]}`, cells[at + 2]!);
    const size = 2 ** level;
    const [column, row] = [Math.floor(((lon + 180) / 360) * size), Math.floor(((lat + 90) / 180) * size)];
    for (let step = 0; step < 10; step += 1) {
      const cell = { level, column: column + Math.floor(random() * 3) - 1, row: row + Math.floor(random() * 3) - 1 };
      if (cell.row < 0 || cell.column < 0 || cell.column >= size || cell.row >= size) continue;
      const [west, south] = ringOfCell(cell)[0]!;
      const middle: Position = [west + 180 / size, south + 90 / size];
      const isOfTile = JSON.stringify(tileAt(middle, zoom)) === JSON.stringify(tileAt([lon, lat], zoom));
      if (!isOfTile) continue;
      const geometry = encodeURIComponent(JSON.stringify(shapeOfCell(cell)));
      const answer = await askAs(server, 'SA').get<Lookback>(
        `/api/coverage/lookback?geometry=${geometry}&to=${atUs}&limit=1`,
      );
      expect(answer.status).toBe(200);
      const latest = answer.body.spans[0]?.to;
      expect(existing.get(`${cell.column} ${cell.row}`), JSON.stringify({ cell, zoom, atUs })).toBe(
        latest === undefined ? undefined : latest / 1e6,
      );
      asked += 1;
      if (latest !== undefined) seen += 1;
    }
  }
  return seen;
}

it('agrees with a look back at 100 random cells, now and at moments within the recordings', async () => {
  expect(await compareCells(100)).toBeGreaterThan(10);
});

it('agrees with a look back at 1,000 random cells', { tags: 'long', timeout: 600_000 }, async () => {
  expect(await compareCells(1000)).toBeGreaterThan(200);
});

it('moves with the sensor, and is dropped with it', async () => {
  const { id, sensorId, sightings } = own[1]!;
  const place = tileAt(sightings[0]!.corners[0], 12);
  const before = await askTile(place);
  expect(before.cells.length).toBeGreaterThan(0);
  await askAs(server, 'SA').post(`/api/sensors/${sensorId}/shift`, { shift: 7_200_500_000 });
  const after = await askTile(place);
  expect(after.cells).toEqual(before.cells.map((value, at) => (at % 3 === 2 ? value + 7200.5 : value)));
  await askAs(server, 'SA').post(`/api/sensors/${sensorId}/shift`, { shift: 0 });
  await db.updateTable('missions').set({ deleted_time: 1 }).where('id', '=', id).execute();
  expect((await askTile(place)).cells).toEqual([]);
  await db.updateTable('missions').set({ deleted_time: null }).where('id', '=', id).execute();
});

it('tells nothing of hidden missions, and audits what is above UNCLASSIFIED once for a page', async () => {
  const { id, sightings } = own[0]!;
  const place = tileAt(sightings[0]!.corners[0], 10);
  await db.updateTable('missions').set({ classification: 3 }).where('id', '=', id).execute();
  expect((await askTile(place, '', 'U0')).cells).toEqual([]);
  for (let times = 0; times < 3; times += 1) expect((await askTile(place)).cells.length).toBeGreaterThan(0);
  const rows = await db.selectFrom('audit').select(['action', 'result']).where('item_id', '=', id).execute();
  expect(rows.filter(({ action }) => action === 'coverage.read')).toEqual([
    { action: 'coverage.read', result: 'opened' },
  ]);
  await db.updateTable('missions').set({ classification: 1 }).where('id', '=', id).execute();
});

it('is made of the minutes that an older version left, and counts what is not in it', async () => {
  const { sightings } = own[0]!;
  const place = tileAt(sightings[0]!.corners[0], 14);
  const before = await askTile(place);
  await db.deleteFrom('coverage_seen').execute();
  await db.updateTable('coverage_sensors').set({ seen: false }).execute();
  expect((await askTile(place)).cells).toEqual([]);
  const state = () => askAs(server, 'SA').get('/api/coverage/state');
  expect((await state()).body).toEqual({ indexed: 0, notIndexed: 2, withoutPosition: 0 });
  await keeping.look();
  expect(await askTile(place)).toEqual(before);
  expect((await state()).body).toEqual({ indexed: 2, notIndexed: 0, withoutPosition: 0 });
  // Minutes that were made by an older rule stay in the answers until they are made again.
  await sql`update coverage_sensors set index_key = sensors.index_key from sensors where id = sensor_id`.execute(db);
  expect(await askTile(place)).toEqual(before);
  expect((await state()).body).toEqual({ indexed: 0, notIndexed: 2, withoutPosition: 0 });
  await keeping.look();
  expect(await askTile(place)).toEqual(before);
  expect((await state()).body).toEqual({ indexed: 2, notIndexed: 0, withoutPosition: 0 });
  expect((await askAs(server, 'U0').get('/api/coverage/state')).status).toBe(200);
});

it('refuses what is no tile', async () => {
  for (const query of ['zoom=15&x=0&y=0', 'zoom=2&x=4&y=0', 'zoom=2&x=0&y=4', 'zoom=2&x=-1&y=0', 'zoom=2&x=0']) {
    expect((await askAs(server, 'SA').get(`/api/coverage/last-seen?${query}`)).status, query).toBe(400);
  }
});
