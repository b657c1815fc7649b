import type { FoundSpans, LastSeenTile, Lookback, Mission } from '@osprey/contract';
import { beforeAll, expect } from 'vitest';
import { itWithData as it, testData } from '../../../../../tools/test-support/test-data.ts';
import { askAs, recordingServer } from '../../../test/recordings.ts';
import { coverageKeeping } from '../../media/ingest/coverage-keeping.ts';

const server = await recordingServer();
const { db, dependencies } = server;
const { get, post } = askAs(server, 'SA');
const keeping = coverageKeeping({ ...dependencies, changed: () => undefined });
const PLACE: [number, number] = [9, 46.01];
let missionId = '';
let sensorId = '';

beforeAll(async () => {
  const file = testData('field3/klv-frame-centre-and-width-only.ts');
  const { mission } = await server.record({ name: 'centres' }, [{ path: file }]);
  [missionId, sensorId] = [mission._id, mission.sensors[0]!._id];
  await keeping.look();
});

const find = async (filter: object = {}, who: 'SA' | 'U0' = 'SA') =>
  (
    await askAs(server, who).post<FoundSpans>('/api/coverage/find', {
      shape: { type: 'Point', coordinates: PLACE },
      filter,
    })
  ).body;
const lookback = async () =>
  (await get<Lookback>(`/api/coverage/lookback?geometry=${JSON.stringify({ type: 'Point', coordinates: PLACE })}`))
    .body;
const inBox = async () => {
  const { body } = await get<Mission[]>('/api/missions/brief?geometry=8.99,46,9.01,46.02');
  return body.map(({ _id }) => _id);
};

function tileQuery(zoom: number): string {
  const y = (1 - Math.asinh(Math.tan((PLACE[1] * Math.PI) / 180)) / Math.PI) / 2;
  return `zoom=${zoom}&x=${Math.floor(((PLACE[0] + 180) / 360) * 2 ** zoom)}&y=${Math.floor(y * 2 ** zoom)}`;
}
const tile = async (who: 'SA' | 'U0' = 'SA') =>
  (await askAs(server, who).get<LastSeenTile>(`/api/coverage/last-seen?${tileQuery(14)}`)).body;

it('finds a recording without attitude by a square around its frame centre, and says so', async () => {
  const { spans, unsure } = await find();
  expect(spans.map((span) => [span.missionId, span.approximate])).toEqual([[missionId, true]]);
  const [a, , c] = spans[0]!.corners;
  expect([a![0] < PLACE[0], PLACE[0] < c![0], c![1] < PLACE[1], PLACE[1] < a![1]]).toEqual([true, true, true, true]);
  expect(unsure?.withoutPosition.count).toBe(0);
  expect((await lookback()).spans.map((span) => span.approximate)).toEqual([true]);
  expect(await inBox()).toEqual([missionId]);
});

it('shows it as last seen, approximately; a footprint of the same second counts first', async () => {
  const { cells, approximate } = await tile();
  expect(cells.length).toBeGreaterThan(0);
  expect(approximate).toEqual(Array.from({ length: cells.length / 3 }, (_, at) => at));
  const rows = await db.selectFrom('coverage_seen').selectAll().where('sensor_id', '=', sensorId).execute();
  expect(new Set(rows.map((row) => row.approximate))).toEqual(new Set([true]));
  await db
    .insertInto('coverage_seen')
    .values(rows.map((row) => ({ ...row, approximate: false })))
    .execute();
  expect(await tile()).toEqual({ level: 16, cells });
  await db.deleteFrom('coverage_seen').where('approximate', '=', false).execute();
});

it('has the label of its source, and is no frame of the past', async () => {
  const time = (await find()).spans[0]!.first;
  await db.updateTable('missions').set({ classification: 3 }).where('id', '=', missionId).execute();
  expect((await find({}, 'U0')).spans).toEqual([]);
  expect((await tile('U0')).cells).toEqual([]);
  await db.updateTable('missions').set({ classification: 1 }).where('id', '=', missionId).execute();
  expect((await get<{ frames: unknown[] }>(`/api/coverage/frames?time=${time}`)).body.frames).toEqual([]);
});

it('is found in recordings that an older rule indexed, once they are indexed again', async () => {
  const { index_key } = await db
    .selectFrom('sensors')
    .select('index_key')
    .where('id', '=', sensorId)
    .executeTakeFirstOrThrow();
  const before = await db.selectFrom('mission_shapes').selectAll().where('sensor_id', '=', sensorId).execute();
  // As the version before left it.
  await db.deleteFrom('coverage_minutes').where('sensor_id', '=', sensorId).execute();
  await db.deleteFrom('coverage_seen').where('sensor_id', '=', sensorId).execute();
  const shapes = db.deleteFrom('mission_shapes').where('sensor_id', '=', sensorId);
  await shapes.where('aoi_mode', '=', 'sensorArea').execute();
  expect(await inBox()).toEqual([]);
  await db
    .updateTable('coverage_sensors')
    .set({ index_key: `${index_key}+ends`, footprints: 0, cells: [] })
    .where('sensor_id', '=', sensorId)
    .execute();
  expect((await find()).spans).toEqual([]);
  expect((await find()).unsure?.notIndexed.count).toBe(1);

  await keeping.look();

  expect((await find()).spans).toHaveLength(1);
  expect((await tile()).approximate?.length).toBeGreaterThan(0);
  // The geographic filter of the missions list agrees with Find.
  expect(await inBox()).toEqual([missionId]);
  const rows = await db.selectFrom('mission_shapes').selectAll().where('sensor_id', '=', sensorId).execute();
  expect(rows).toHaveLength(before.length);
  expect((await post('/api/coverage/find', { shape: { type: 'Point', coordinates: [10, 46] } })).status).toBe(200);
});
