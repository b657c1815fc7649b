import type { FindFilter, FoundSpans, Lookback, TargetShape } from '@osprey/contract';
import { bearingDeg, type Position, type Sighting } from '@osprey/geo';
import { beforeAll, expect } from 'vitest';
import { itWithData as it, testData } from '../../../../../tools/test-support/test-data.ts';
import { addAnnotation, featureOf, pointAt } from '../../../test/annotations.ts';
import { askAs, recordingServer } from '../../../test/recordings.ts';
import type { Subject } from '../../../test/server.ts';
import { getJson } from '../../media/index/file-index.ts';
import type { SensorIndex } from '../../media/index/sensor-index.ts';
import { sightingsOf } from '../../media/ingest/coverage.ts';
import { runReindexCommand } from '../../media/ingest/read-again.ts';
import { telemetryReader } from '../../telemetry/reader.ts';
import { lookDegOf, middleOf } from './find-filter.ts';

const server = await recordingServer();
const { db, dependencies } = server;

let [mission, sensor] = ['', ''];
let sightings: Sighting[] = [];
let centre: Position = [0, 0];

beforeAll(async () => {
  const made = await server.record(
    { name: 'survey', platform: { name: 'Falcon', type: 'Quadcopter', presentation: { color: '#004dcf' } } },
    [{ path: testData('ts/osh/sample-stream.ts') }],
  );
  mission = made.mission._id;
  sensor = made.mission.sensors[0]!._id;
  const row = await db.selectFrom('sensors').select('index_key').where('id', '=', sensor).executeTakeFirstOrThrow();
  const index = await getJson<SensorIndex>(dependencies.storage, row.index_key!);
  for await (const one of sightingsOf(telemetryReader(dependencies), index)) sightings.push(one);
  sightings = sightings.toSorted((a, b) => a.timeUs - b.timeUs);
  centre = middleOf(sightings[sightings.length >> 1]!.corners);
});

type Body = { shape: TargetShape; filter?: FindFilter; limit?: number; after?: string };
const find = (body: Body, who: Subject = 'SA') => askAs(server, who).post<FoundSpans>('/api/coverage/find', body);
const spansOf = async (shape: TargetShape, filter: FindFilter = {}, who: Subject = 'SA') =>
  (await find({ shape, filter, limit: 200 }, who)).body.spans;
const secondsOf = (spans: readonly { from: number; to: number }[]): number[] =>
  spans.flatMap(({ from, to }) => Array.from({ length: (to - from) / 1e6 }, (_, at) => from / 1e6 + at)).sort();

const countOf = async (shape: TargetShape, who: Subject = 'SA') =>
  (await askAs(server, who).post<{ count: number; isMore: boolean }>('/api/coverage/find/count', { shape })).body;

const point = (): TargetShape => ({ type: 'Point', coordinates: centre });
const ringAround = ([lon, lat]: Position, size: number): Position[] => [
  [lon - size, lat - size],
  [lon + size, lat - size],
  [lon + size, lat + size],
  [lon - size, lat + size],
  [lon - size, lat - size],
];
const box = (size = 0.0005): TargetShape => ({ type: 'Polygon', coordinates: [ringAround(centre, size)] });

it('finds what the look back finds, for a point and an area, the newest first', async () => {
  for (const shape of [point(), box(), box(0.05)]) {
    const text = encodeURIComponent(JSON.stringify(shape));
    const { body } = await askAs(server, 'SA').get<Lookback>(`/api/coverage/lookback?geometry=${text}&limit=500`);
    const found = await spansOf(shape);
    expect(found.length).toBeGreaterThan(0);
    expect(await countOf(shape)).toEqual({ count: found.length, isMore: false });
    expect(found.map(({ sensorId, from, to, first }) => [sensorId, from, to, first])).toEqual(
      body.spans.map(({ sensorId, from, to, first }) => [sensorId, from, to, first]),
    );
  }
  const [span] = await spansOf(point());
  expect(span).toMatchObject({ mission: 'survey', sensorId: sensor, platform: 'Falcon' });
  expect(span!.corners).toHaveLength(4);
  expect(span!.distanceM).toBeGreaterThan(10);
  expect(span!.resolutionM).toBeGreaterThan(0);
});

it('finds no second that begins after the recording', async () => {
  const recorded = db.selectFrom('sensors').select('end_time').where('id', '=', sensor);
  const endUs = (await recorded.executeTakeFirstOrThrow()).end_time!;
  const last = secondsOf(await spansOf({ type: 'Circle', centre: middleOf(sightings.at(-1)!.corners), radiusM: 5 })).at(
    -1,
  )!;
  expect(last).toBe(Math.ceil(endUs / 1e6) - 1);
});

it('takes circles and corridors, and an annotation with all of its shapes', async () => {
  const far: Position = [centre[0] + 1, centre[1]];
  const wide = secondsOf(await spansOf({ type: 'Circle', centre, radiusM: 100 }));
  expect(wide.length).toBeGreaterThanOrEqual(secondsOf(await spansOf(point())).length);
  expect(await spansOf({ type: 'Circle', centre: far, radiusM: 100 })).toEqual([]);
  const line: Position[] = [[centre[0] - 0.001, centre[1]], far];
  expect((await spansOf({ type: 'Corridor', line, widthM: 50 })).length).toBeGreaterThan(0);

  const ring = ringAround(centre, 0.0005);
  const features = [pointAt(...far), featureOf({ type: 'Polygon', coordinates: [ring] })];
  const id = await addAnnotation(db, { title: 'Area 12' }, [], features);
  expect(secondsOf(await spansOf({ type: 'Annotation', id }))).toEqual(secondsOf(await spansOf(box())));
  const hidden = await addAnnotation(db, { title: 'Area 13', classification: 4 }, [], features);
  expect((await find({ shape: { type: 'Annotation', id: hidden } }, 'U0')).status).toBe(404);
  expect((await find({ shape: { type: 'Annotation', id: hidden } })).status).toBe(200);
  const rows = await db.selectFrom('audit').select('action').where('item_id', '=', hidden).execute();
  expect(rows.map(({ action }) => action)).toContain('annotation.read');
  expect((await find({ shape: { type: 'Annotation', id: crypto.randomUUID() } })).status).toBe(404);
});

it('keeps the seconds for which all of the filter holds', async () => {
  const all = secondsOf(await spansOf(box(0.05)));
  const seconds = async (filter: FindFilter) => secondsOf(await spansOf(box(0.05), filter));
  const start = all[0]! * 1e6;
  expect(await seconds({ from: start + 3e6, to: start + 8e6 })).toEqual(
    all.filter((one) => one * 1e6 >= start + 3e6 && one * 1e6 < start + 8e6),
  );
  expect(await seconds({ days: 1 })).toEqual([]);
  expect(await seconds({ days: 36_500 })).toEqual(all);

  const minute = Math.floor(all[0]! / 60) % 1440;
  const before = (minute + 1439) % 1440;
  const after = (minute + 1) % 1440;
  expect(await seconds({ day: { from: minute, to: after } })).toEqual(
    all.filter((one) => Math.floor(one / 60) % 1440 === minute),
  );
  expect(await seconds({ day: { from: after, to: minute } })).toEqual(
    all.filter((one) => Math.floor(one / 60) % 1440 !== minute),
  );
  expect(await seconds({ day: { from: before, to: minute } })).toEqual(
    all.filter((one) => Math.floor(one / 60) % 1440 === before),
  );

  expect(
    await seconds({ platforms: ['Falcon'], platformTypes: ['Quadcopter'], sensor: 'eo', pictures: 'video' }),
  ).toEqual(all);
  for (const filter of [
    { platforms: ['Kite'] },
    { platformTypes: ['Plane'] },
    { sensor: 'radar' },
    { pictures: 'telemetry' },
    { usergroups: [crypto.randomUUID()] },
    { resolutionM: 1e-9 },
    { seconds: 86_400 },
  ] satisfies FindFilter[]) {
    expect(await seconds(filter), JSON.stringify(filter)).toEqual([]);
  }
  expect(await seconds({ resolutionM: 1000 })).toEqual(all);
});

it('compares the direction of the look and the share of the area that one picture shows', async () => {
  const bearings = sightings.map((one) => lookDegOf(one)!);
  expect(bearings[0]).toBeCloseTo(
    bearingDeg(
      { lon: sightings[0]!.platform![0], lat: sightings[0]!.platform![1] },
      { lon: middleOf(sightings[0]!.corners)[0], lat: middleOf(sightings[0]!.corners)[1] },
    ),
  );
  const all = secondsOf(await spansOf(box(0.05)));
  const east = secondsOf(await spansOf(box(0.05), { look: { from: 0, to: 180 } }));
  const west = secondsOf(await spansOf(box(0.05), { look: { from: 180, to: 360 } }));
  expect([...new Set([...east, ...west])].sort()).toEqual(all);
  expect(secondsOf(await spansOf(box(0.05), { look: { from: 0, to: 360 } }))).toEqual(all);
  const eastward = new Set(
    sightings.flatMap((one, at) => (bearings[at]! <= 180 ? [Math.floor(one.timeUs / 1e6)] : [])),
  );
  for (const second of eastward) expect(east).toContain(second);

  expect(await spansOf(box(0.05), { share: 50 })).toEqual([]);
  const tiny: TargetShape = { type: 'Circle', centre, radiusM: 0.5 };
  expect((await spansOf(tiny, { share: 99 })).length).toBeGreaterThan(0);
});

it('gives page after page without a gap, each span once', async () => {
  const complete = await spansOf(point());
  const shift = (by: number) => askAs(server, 'SA').post(`/api/sensors/${sensor}/shift`, { shift: by });
  // Short spans in the middle of long ones: those of a small part of each minute.
  const minute = Math.floor(complete[0]!.from / 60e6) % 1440;
  const filter: FindFilter = { look: { from: 0, to: 359.9 }, day: { from: minute, to: (minute + 30) % 1440 } };
  const all = await spansOf(box(0.0002), filter);
  const paged: FoundSpans['spans'] = [];
  let after: string | undefined;
  for (let page = 0; page < 100; page += 1) {
    const { body } = await find({ shape: box(0.0002), filter, limit: 1, ...(after !== undefined && { after }) });
    expect(body.spans.length).toBeLessThanOrEqual(1);
    expect(body.unsure === null).toBe(page > 0);
    paged.push(...body.spans);
    if (body.next === null) break;
    after = body.next;
  }
  expect(all.length).toBeGreaterThan(0);
  expect(paged).toEqual(all);

  // A page that was stopped for time goes on with what ends before: the two together are the whole.
  const [span] = complete;
  const cut = span!.from + 2e6;
  const text = Buffer.from(JSON.stringify([cut])).toString('base64url');
  const rest = (await find({ shape: point(), limit: 200, after: text })).body.spans;
  expect(secondsOf(rest)).toEqual(secondsOf(complete).filter((second) => second * 1e6 + 1e6 <= cut));
  await shift(0);
});

it('tells nothing of hidden missions, neither spans nor counts, and audits what is above UNCLASSIFIED', async () => {
  await db.updateTable('missions').set({ classification: 3 }).where('id', '=', mission).execute();
  const { body } = await find({ shape: point() }, 'U0');
  expect(body.spans).toEqual([]);
  expect(await countOf(point(), 'U0')).toEqual({ count: 0, isMore: false });
  expect(JSON.stringify(body)).not.toContain('survey');
  expect(body.unsure).toEqual({
    notIndexed: { count: 0, sensors: [] },
    withoutPosition: { count: 0, sensors: [] },
    uncertainClock: { count: 0, sensors: [] },
  });
  expect((await find({ shape: point() })).body.spans.length).toBeGreaterThan(0);
  const rows = await db.selectFrom('audit').select('action').where('item_id', '=', mission).execute();
  expect(rows.filter(({ action }) => action === 'coverage.read')).toHaveLength(1);
  await countOf(point());
  const after = db.selectFrom('audit').select('result').where('item_id', '=', mission);
  expect((await after.execute()).map(({ result }) => result)).toContain('opened');
  await db.updateTable('missions').set({ classification: 1 }).where('id', '=', mission).execute();
});

it('counts what is not indexed among recordings that fit the filter', async () => {
  await runReindexCommand({ ...dependencies, say: () => undefined }, ['coverage']);
  const counted = async (filter: FindFilter) => (await find({ shape: point(), filter })).body.unsure!.notIndexed.count;
  expect(await counted({})).toBe(1);
  expect(await counted({ platforms: ['Falcon'] })).toBe(1);
  expect(await counted({ platforms: ['Kite'] })).toBe(0);
  expect(await counted({ from: Date.now() * 1000 })).toBe(0);
});

it('refuses what is no shape, filter or page', async () => {
  const ring = ringAround([0, 0], 1);
  for (const body of [
    {},
    { shape: { type: 'Point', coordinates: [0, 91] } },
    { shape: { type: 'Polygon', coordinates: [ring.slice(1)] } },
    {
      shape: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [120, 0],
            [-120, 0],
            [0, 0],
          ],
        ],
      },
    },
    { shape: { type: 'Circle', centre: [0, 0], radiusM: 0 } },
    { shape: { type: 'Circle', centre: [0, 0], radiusM: 1e9 } },
    { shape: { type: 'Corridor', line: [[0, 0]], widthM: 10 } },
    { shape: { type: 'Annotation', id: 'x' } },
    { shape: point(), more: 1 },
    { shape: point(), filter: { sensor: 'a\0b' } },
    { shape: point(), filter: { days: 0 } },
    { shape: point(), limit: 1000 },
    { shape: point(), after: 'x' },
    { shape: point(), after: Buffer.from('[1,"x"]').toString('base64url') },
  ]) {
    expect((await askAs(server, 'SA').post('/api/coverage/find', body)).status, JSON.stringify(body)).toBe(400);
  }
});
