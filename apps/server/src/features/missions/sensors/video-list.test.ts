import type { VideoList } from '@osprey/contract';
import { meets, type Position, shapeOf } from '@osprey/geo';
import { beforeAll, expect } from 'vitest';
import { itWithData, testData, testDataFolder } from '../../../../../../tools/test-support/test-data.ts';
import { askAs, recordingServer } from '../../../../test/recordings.ts';
import { getJson } from '../../../media/index/file-index.ts';
import type { SensorIndex } from '../../../media/index/sensor-index.ts';
import { runReindexCommand } from '../../../media/ingest/read-again.ts';
import { telemetryReader } from '../../../telemetry/reader.ts';
import { numberAt, walk } from '../../../telemetry/walk.ts';

const server = await recordingServer();
const { db, dependencies } = server;

type Place = { timeUs: number; centre: Position; platform: Position };
const flight: Place[] = [];
let [mission, sensor] = ['', ''];
let [start, end] = [0, 0];

beforeAll(async () => {
  if (testDataFolder === null) return;
  const made = await server.record({ name: 'flight' }, [{ path: testData('ts/osh/sample-stream.ts') }]);
  mission = made.mission._id;
  sensor = made.mission.sensors[0]!._id;
  const row = await db.selectFrom('sensors').select('index_key').where('id', '=', sensor).executeTakeFirstOrThrow();
  const { files } = await getJson<SensorIndex>(dependencies.storage, row.index_key!);
  for await (const step of walk(telemetryReader(dependencies), files, { tags: new Set([13, 14, 23, 24]) })) {
    const at = (tag: number): Position => [numberAt(step, tag + 1), numberAt(step, tag)];
    flight.push({ timeUs: step.timeUs, centre: at(23), platform: at(13) });
  }
  start = Math.floor(flight[0]!.timeUs / 1e6) * 1e6;
  end = start + 600e6;
});

const boxAround = ([lon, lat]: Position, size: number): Position[] => [
  [lon - size, lat - size],
  [lon + size, lat - size],
  [lon + size, lat + size],
  [lon - size, lat + size],
];
const polygon = (ring: Position[]) => ({ type: 'Polygon', coordinates: [[...ring, ring[0]!]] });

const ask = (body: object, who: 'SA' | 'U0' = 'SA') =>
  askAs(server, who).post<VideoList>(`/api/sensors/videolist/${mission}/${sensor}`, {
    ...{ geometry: polygon(boxAround(flight[0]!.centre, 0.001)), aoiMode: 'sensorArea', start, end },
    ...body,
  });

const filtered = async (area: object, aoiMode: string) => {
  const query = `geometry=${encodeURIComponent(JSON.stringify(area))}&aoiMode=${aoiMode}`;
  const { body } = await askAs(server, 'SA').get<{ name: string }[]>(`/api/missions/brief?${query}`);
  return body.map(({ name }) => name);
};

/** Bins of 600 s are 3 s long. */
const BIN_US = 3e6;
function binsOf(times: number[]): VideoList {
  const bins = new Map<number, number>();
  for (const second of new Set(times.map((time) => Math.floor(time / 1e6)))) {
    const from = start + Math.floor((second * 1e6 - start) / BIN_US) * BIN_US;
    bins.set(from, (bins.get(from) ?? 0) + 1);
  }
  return [...bins].sort(([a], [b]) => a - b).map(([from, count]) => ({ start: from, avg: count / 3 }));
}

itWithData('takes the times of the mission where none are sent, and a feature in place of its geometry', async () => {
  const ring = boxAround(flight[flight.length >> 1]!.centre, 0.0005);
  const { start_time, end_time } = await db
    .selectFrom('missions')
    .select(['start_time', 'end_time'])
    .where('id', '=', mission)
    .executeTakeFirstOrThrow();
  const requested = await ask({ geometry: polygon(ring), start: start_time, end: end_time });
  expect(requested.body.length).toBeGreaterThan(0);

  const feature = { type: 'Feature', properties: { title: 'here' }, geometry: polygon(ring) };
  for (const times of [
    { start: null, end: null },
    { start: undefined, end: undefined },
    { start: start_time, end: null },
  ]) {
    expect(await ask({ geometry: feature, ...times })).toMatchObject({ status: 200, body: requested.body });
  }
  expect((await ask({ geometry: feature, start: 2, end: 1 })).status).toBe(400);
});

itWithData('answers the share of seconds in which the sensor saw the area, as the look back has them', async () => {
  const ring = boxAround(flight[flight.length >> 1]!.centre, 0.0005);
  const { body } = await ask({ geometry: polygon(ring) });
  const text = encodeURIComponent(JSON.stringify(polygon(ring)));
  const { spans } = (
    await askAs(server, 'SA').get<{ spans: { from: number; to: number }[] }>(
      `/api/coverage/lookback?geometry=${text}&from=${start}&to=${end}&limit=500`,
    )
  ).body;
  const seconds = spans.flatMap(({ from, to }) =>
    Array.from({ length: (to - from) / 1e6 }, (_, at) => from + at * 1e6),
  );
  expect(seconds.length).toBeGreaterThan(0);
  expect(body).toEqual(binsOf(seconds));

  await runReindexCommand({ ...dependencies, say: () => undefined }, ['coverage']);
  expect((await ask({ geometry: polygon(ring) })).body, 'without the index').toEqual(body);
});

itWithData('compares the middles of the pictures and the way of the platform where these are asked for', async () => {
  for (const [aoiMode, of] of [
    ['frameCenter', 'centre'],
    ['platformPath', 'platform'],
  ] as const) {
    const ring = boxAround(flight[flight.length >> 1]![of], 0.0003);
    const { body } = await ask({ geometry: polygon(ring), aoiMode });
    const inside = flight.filter((place) => meets(shapeOf([place[of]]), shapeOf(ring)));
    expect(inside.length).toBeGreaterThan(0);
    const least = binsOf(inside.map(({ timeUs }) => timeUs));
    if (aoiMode === 'frameCenter') expect(body).toEqual(least);
    for (const bin of least) {
      expect(body.find(({ start: from }) => from === bin.start)?.avg).toBeGreaterThanOrEqual(bin.avg);
    }
    const far = boxAround([-140, -40], 0.1);
    expect((await ask({ geometry: polygon(far), aoiMode })).body).toEqual([]);
    // The filter of the missions list says the same.
    expect([await filtered(polygon(ring), aoiMode), await filtered(polygon(far), aoiMode)]).toEqual([['flight'], []]);
  }
});

itWithData('moves with the sensor', async () => {
  const { body: before } = await ask({});
  expect(before.length).toBeGreaterThan(0);
  await askAs(server, 'SA').post(`/api/sensors/${sensor}/shift`, { shift: 3_600_000_000 });
  const { body: after } = await ask({ start: start + 3600e6, end: end + 3600e6 });
  await askAs(server, 'SA').post(`/api/sensors/${sensor}/shift`, { shift: 0 });
  expect(after).toEqual(before.map((one) => ({ ...one, start: one.start + 3600e6 })));
});

itWithData('refuses other bodies, hides hidden missions, and audits what is above UNCLASSIFIED', async () => {
  for (const wrong of [
    { aoiMode: 'all' },
    { end: start },
    { more: 1 },
    { geometry: { type: 'Point', coordinates: [0, 91] } },
    { geometry: { type: 'Polygon', coordinates: [boxAround([0, 0], 1)] } },
  ]) {
    expect((await ask(wrong)).status, JSON.stringify(wrong)).toBe(400);
  }
  await db.updateTable('missions').set({ classification: 3 }).where('id', '=', mission).execute();
  expect((await ask({}, 'U0')).status).toBe(404);
  expect((await ask({})).status).toBe(200);
  const rows = await db.selectFrom('audit').select('action').where('item_id', '=', mission).execute();
  expect(rows.map(({ action }) => action)).toContain('coverage.read');
  await db.updateTable('missions').set({ classification: 1 }).where('id', '=', mission).execute();
});
