import { readdirSync } from 'node:fs';
import type { Lookback } from '@osprey/contract';
import type { Position, Sighting } from '@osprey/geo';
import { sql } from 'kysely';
import { beforeAll, expect } from 'vitest';
import { itWithData as it, testData } from '../../../../../tools/test-support/test-data.ts';
import { askAs, recordingServer } from '../../../test/recordings.ts';
import { secondsByRule, secondsIn } from '../../../test/seen-seconds.ts';
import { getJson } from '../../media/index/file-index.ts';
import type { SensorIndex } from '../../media/index/sensor-index.ts';
import { makeCoverage, sightingsOf } from '../../media/ingest/coverage.ts';
import { coverageKeeping } from '../../media/ingest/coverage-keeping.ts';
import { runReindexCommand } from '../../media/ingest/read-again.ts';
import { telemetryReader } from '../../telemetry/reader.ts';

const server = await recordingServer();
const { db, dependencies } = server;
const FILES = ['ts/osh/sample-stream.ts', 'ts/kwiver/aphill_klv_10s.ts'];

type Own = { id: string; sensorId: string; name: string; sightings: Sighting[] };
const own: Own[] = [];

beforeAll(async () => {
  for (const file of FILES) {
    const { mission } = await server.record({ name: file.replaceAll('/', '_') }, [{ path: testData(file) }]);
    const sensorId = mission.sensors[0]!._id;
    own.push({ id: mission._id, sensorId, name: mission.name, sightings: await sightingsIn(sensorId) });
  }
});

/** Every footprint of a sensor, as its index has them. */
async function sightingsIn(sensorId: string): Promise<Sighting[]> {
  const row = await db.selectFrom('sensors').select('index_key').where('id', '=', sensorId).executeTakeFirstOrThrow();
  const sightings: Sighting[] = [];
  if (row.index_key === null) return sightings;
  const index = await getJson<SensorIndex>(dependencies.storage, row.index_key);
  for await (const one of sightingsOf(telemetryReader(dependencies), index)) sightings.push(one);
  return sightings;
}

const ask = async (geometry: string | object, more = '', who: 'SA' | 'U0' = 'SA') => {
  const text = encodeURIComponent(typeof geometry === 'string' ? geometry : JSON.stringify(geometry));
  return (await askAs(server, who).get<Lookback>(`/api/coverage/lookback?geometry=${text}${more}`)).body;
};
const point = (coordinates: Position) => ({ type: 'Point', coordinates });

const middleOf = ({ corners }: Sighting): Position => [
  corners.reduce((sum, [lon]) => sum + lon / 4, 0),
  corners.reduce((sum, [, lat]) => sum + lat / 4, 0),
];

it('answers exactly the seconds that the rule gives over all footprints, for points and boxes', async () => {
  let found = 0;
  for (const { sensorId, sightings } of own) {
    expect(sightings.length).toBeGreaterThan(50);
    for (let at = 0; at < 25; at += 1) {
      const view = sightings[Math.floor((at / 25) * sightings.length)]!;
      const [lon, lat] = at % 2 === 0 ? middleOf(view) : view.corners[at % 4]!;
      const size = [0, 0.0005, 0.01, 0.3][at % 4]!;
      const ring: Position[] =
        size === 0
          ? [[lon, lat]]
          : [
              [lon, lat],
              [lon + size, lat],
              [lon + size, lat + size],
              [lon, lat + size],
            ];
      const reported = await ask(
        size === 0 ? point([lon, lat]) : `${lon},${lat},${lon + size},${lat + size}`,
        '&limit=500',
      );
      const expected = secondsByRule(sightings, ring);
      expect(secondsIn(reported, sensorId)).toEqual(expected);
      found += expected.length;
    }
  }
  expect(found).toBeGreaterThan(100);
});

it('gives the newest first, with distance and ground resolution, within the times asked for', async () => {
  const { sensorId, sightings } = own[0]!;
  const place = middleOf(sightings[sightings.length >> 1]!);
  const all = await ask(point(place));
  const ends = all.spans.map(({ to }) => to);
  expect(ends).toEqual([...ends].sort((a, b) => b - a));
  expect(all.more).toBe(false);
  const [span] = all.spans;
  expect(span!.distanceM).toBeGreaterThan(10);
  expect(span!.resolutionM).toBeGreaterThan(0);
  expect(span!.first).toBeGreaterThanOrEqual(span!.from);
  expect(span!.first).toBeLessThan(span!.to);
  const cut = await ask(point(place), `&from=${span!.from + 1e6}&to=${span!.to}`);
  expect(secondsIn(cut, sensorId)).toEqual(secondsIn({ ...all, spans: [span!] }, sensorId).slice(1));
  const one = await ask(boxOf(place), '&limit=1');
  expect(one.spans).toHaveLength(1);
});

const boxOf = ([lon, lat]: Position) => `${lon - 0.01},${lat - 0.01},${lon + 0.01},${lat + 0.01}`;

it('moves with the sensor', async () => {
  const { sensorId, sightings } = own[0]!;
  const place = middleOf(sightings[0]!);
  const before = secondsIn(await ask(point(place)), sensorId);
  await askAs(server, 'SA').post(`/api/sensors/${sensorId}/shift`, { shift: 3_600_000_000 });
  expect(secondsIn(await ask(point(place)), sensorId)).toEqual(before.map((second) => second + 3600));
  await askAs(server, 'SA').post(`/api/sensors/${sensorId}/shift`, { shift: 0 });
});

it('tells nothing of hidden missions, neither spans nor counts, and audits what is above UNCLASSIFIED', async () => {
  const { id, name, sightings } = own[0]!;
  const place = middleOf(sightings[0]!);
  await db.updateTable('missions').set({ classification: 3 }).where('id', '=', id).execute();
  const hidden = await ask(point(place), '', 'U0');
  expect(hidden.spans).toEqual([]);
  expect(JSON.stringify(hidden)).not.toContain(name);
  expect((await ask(point(place))).spans.length).toBeGreaterThan(0);
  const rows = await db.selectFrom('audit').select('action').where('item_id', '=', id).execute();
  expect(rows.filter(({ action }) => action === 'coverage.read')).toHaveLength(1);
  await db.updateTable('missions').set({ classification: 1 }).where('id', '=', id).execute();
});

it('audits each mission once, with the way in which a superAdmin reads it, before the answer', async () => {
  const { id, sightings } = own[0]!;
  const place = middleOf(sightings[0]!);
  const asked = async () => {
    const rows = await db
      .selectFrom('audit')
      .select(['item_label', 'via', 'result'])
      .where('item_id', '=', id)
      .where('action', '=', 'coverage.read')
      .orderBy('seq')
      .execute();
    return rows.map(({ item_label, via, result }) => [item_label, via, result]);
  };
  const before = await asked();
  await db.updateTable('missions').set({ classification: 3, audience: 'groups' }).where('id', '=', id).execute();

  expect((await ask(point(place))).spans.map(({ missionId }) => missionId)).toContain(id);
  expect(await asked()).toEqual([...before, [3, 'allGroups', null]]);
  await db.insertInto('mission_usergroups').values({ mission_id: id, usergroup_id: server.groups.G1 }).execute();
  await db
    .insertInto('user_usergroups')
    .values({ user_id: server.userId('SA'), usergroup_id: server.groups.G1 })
    .execute();
  expect((await ask(point(place))).spans.map(({ missionId }) => missionId)).toContain(id);
  expect(await asked()).toEqual([...before, [3, 'allGroups', null], [3, null, null]]);

  await db
    .deleteFrom('user_usergroups')
    .where('user_id', '=', server.userId('SA'))
    .where('usergroup_id', '=', server.groups.G1)
    .execute();
  await db.deleteFrom('mission_usergroups').where('mission_id', '=', id).execute();
  await db.updateTable('missions').set({ classification: 1, audience: 'everyone' }).where('id', '=', id).execute();
});

it('says what is not indexed, and makes it again in the background, after reindex too', async () => {
  const { sensorId, id, sightings } = own[0]!;
  const place = middleOf(sightings[0]!);
  const before = await ask(point(place));
  expect(before.notIndexed.count).toBe(0);
  const deps = { ...dependencies, say: () => undefined };
  await runReindexCommand(deps, ['coverage']);
  const empty = await ask(point(place));
  expect(empty.spans).toEqual([]);
  expect(empty.notIndexed.sensors.map((one) => one.sensorId)).toContain(sensorId);
  const reported: string[] = [];
  const keeping = coverageKeeping({ ...dependencies, changed: (_, ids) => reported.push(...ids) });
  await keeping.look();
  expect(reported).toContain(id);
  expect(await ask(point(place))).toEqual(before);
});

it('is made once where two parts of the server make it at the same time', async () => {
  const { sensorId, sightings } = own[0]!;
  const place = middleOf(sightings[0]!);
  const before = await ask(point(place));
  for (let round = 0; round < 4; round += 1) {
    await runReindexCommand({ ...dependencies, say: () => undefined }, ['coverage']);
    const reader = telemetryReader(dependencies);
    const both = [
      makeCoverage({ ...dependencies, reader }, sensorId),
      makeCoverage({ ...dependencies, reader }, sensorId),
    ];
    expect(await Promise.all(both)).toEqual([true, true]);
  }
  await coverageKeeping({ ...dependencies, changed: () => undefined }).look();
  expect(await ask(point(place))).toEqual(before);
});

it('answers as the rule does for every recording there is', { tags: 'long', timeout: 600_000 }, async () => {
  const known = ['ts/osh/sample-stream.ts', 'ts/kwiver/aphill_klv_10s.ts'];
  const folders = ['ts/osh', 'ts/kwiver', 'field', 'bad/ts'];
  const files = folders
    .flatMap((folder) => readdirSync(testData(folder)).map((name) => `${folder}/${name}`))
    .filter((file) => file.endsWith('.ts') && !known.includes(file));
  let seconds = 0;
  for (const file of files) {
    const { mission } = await server.record({ name: file.replaceAll('/', '_') }, [{ path: testData(file) }]);
    const sensorId = mission.sensors[0]!._id;
    const sightings = (await sightingsIn(sensorId)).sort((a, b) => a.timeUs - b.timeUs);
    for (let at = 0; at < Math.min(8, sightings.length); at += 1) {
      const [lon, lat] = sightings[Math.floor((at / 8) * sightings.length)]!.corners[at % 4]!;
      const size = [0.0005, 0.01][at % 2]!;
      const found = await ask(`${lon},${lat},${lon + size},${lat + size}`, '&limit=500');
      const ring: Position[] = [
        [lon, lat],
        [lon + size, lat],
        [lon + size, lat + size],
        [lon, lat + size],
      ];
      const expected = secondsByRule(sightings, ring);
      expect(secondsIn(found, sensorId), file).toEqual(expected);
      seconds += expected.length;
    }
  }
  expect(seconds).toBeGreaterThan(100);
});

it('goes with the file', async () => {
  const { sensorId } = own[1]!;
  const held = async () =>
    (await sql<{ n: number }>`select count(*) as n from coverage_minutes where sensor_id = ${sensorId}`.execute(db))
      .rows[0]!.n;
  expect(await held()).toBeGreaterThan(0);
  const { id: fileId } = await db
    .selectFrom('files')
    .select('id')
    .where('sensor_id', '=', sensorId)
    .executeTakeFirstOrThrow();
  await askAs(server, 'SA').delete(`/api/sensors/${sensorId}/files/${fileId}`);
  await server.work();
  expect(await held()).toBe(0);
});

it('refuses what is no place', async () => {
  for (const geometry of [
    'x',
    '1,2,3',
    '{"type":"Point","coordinates":[0,91]}',
    '0,10,1,5',
    '{"type":"Polygon","coordinates":[]}',
  ]) {
    const { status } = await askAs(server, 'SA').get(`/api/coverage/lookback?geometry=${encodeURIComponent(geometry)}`);
    expect(status, geometry).toBe(400);
  }
});
