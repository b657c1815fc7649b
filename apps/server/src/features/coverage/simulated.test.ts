import type { FoundSpans, Lookback, Mission } from '@osprey/contract';
import {
  cellsOfAll,
  createCoverage,
  destination,
  entriesOf,
  meets,
  type Point,
  type Position,
  rounded,
  type Shape,
  type Sighting,
  shapeOf,
  toPosition,
} from '@osprey/geo';
import type { Insertable } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { addMission, addSensor } from '../../../test/missions.ts';
import { numbers } from '../../../test/numbers.ts';
import { askAs } from '../../../test/recordings.ts';
import { secondsByRule, secondsIn, viewOf } from '../../../test/seen-seconds.ts';
import { testServer } from '../../../test/server.ts';
import { polygonText } from '../../base/db/query-geometry.ts';
import type { Database } from '../../base/db/schema.ts';
import { coverageKey, coveredMinutes } from '../../media/ingest/coverage.ts';
import { outlinesOf } from '../../media/ingest/ground.ts';

const server = await testServer();
const { db } = server;
const { get, post } = askAs(server, 'SA');

const FLIGHTS = 200;
const SHAPES = 40;
/** Most times of a page of Find by place. */
const FOUND = 200;
/** The ground of one flight of so many is joined to an outline, which takes longer than all the rest. */
const OUTLINED = 3;
const START_S = 1_790_000_000;
/** The outline of a view may differ from its great circles by this share of its size. */
const OUTLINE_SHARE = 0.02;
const OUTLINE_M = 25;

type Flight = { missionId: string; sensorId: string; metres: number; sightings: Sighting[]; views: (Shape | null)[] };
const flights: Flight[] = [];

const random = numbers(23);

const at = (place: Position, bearing: number, metres: number): Position =>
  toPosition(destination({ lon: place[0], lat: place[1] }, bearing, metres));

/** Three regions that flights cross: at 54° north, across the antimeridian, and near a pole. */
const MIDDLES: readonly Position[] = [
  [10.3, 54.2],
  [180, -17],
  [40, 84],
];
const middleFor = (index: number): Position => MIDDLES[index % 5 === 3 ? 1 : index % 5 === 4 ? 2 : 0]!;

/** A minute and a half with one or two sets a second, with pauses; views of 60 m to 15 km. */
function flightAround(middle: Position, startS: number): Pick<Flight, 'metres' | 'sightings'> {
  const metres = 30 * 10 ** (random() * 2.4);
  const [bearing, begin] = [random() * 360, at(middle, random() * 360, random() * 12_000)];
  const sightings: Sighting[] = [];
  for (let second = random(); second < 90; second += random() < 0.04 ? 3.7 : 0.5 + random() * 0.5) {
    const centre = at(begin, bearing, (second - 45) * 60);
    const corner = (turn: number) => at(centre, turn + second, metres * (0.7 + ((turn * 13) % 7) / 10));
    sightings.push(
      rounded({
        timeUs: Math.round((startS + second) * 1e6),
        corners: [corner(315), corner(45), corner(135), corner(225)],
        platform: null,
      }),
    );
  }
  return { metres, sightings };
}

async function* each(sightings: readonly Sighting[]) {
  yield* sightings;
}

beforeAll(async () => {
  const made: Insertable<Database['coverage_sensors']>[] = [];
  const minutes: Insertable<Database['coverage_minutes']>[] = [];
  const outlines: Insertable<Database['mission_shapes']>[] = [];
  for (let index = 0; index < FLIGHTS; index += 1) {
    const flown = flightAround(middleFor(index), START_S + index * 150);
    const { sightings } = flown;
    const missionId = await addMission(db, { state: 'Ready' });
    const sensorId = await addSensor(db, missionId, { state: 'Ready', index_key: 'simulated' });
    const cells = entriesOf(cellsOfAll(sightings.map(({ corners }) => corners)));
    made.push({
      sensor_id: sensorId,
      index_key: coverageKey('simulated'),
      footprints: sightings.length,
      cells,
      seen: true,
    });
    for await (const { count: _, footprints, ...minute } of coveredMinutes(each(sightings))) {
      minutes.push({ ...minute, sensor_id: sensorId, footprints: Buffer.from(footprints) });
    }
    for (const outline of index % OUTLINED === 0 ? outlinesOf(groundOf(sightings)) : []) {
      const shape = polygonText(outline);
      outlines.push({ mission_id: missionId, sensor_id: sensorId, aoi_mode: 'sensorArea', shape });
    }
    flights.push({ missionId, sensorId, ...flown, views: sightings.map(viewOf) });
  }
  await db.insertInto('coverage_sensors').values(made).execute();
  await db.insertInto('coverage_minutes').values(minutes).execute();
  await db.insertInto('mission_shapes').values(outlines).execute();
});

/** As ingest joins it. */
function groundOf(sightings: readonly Sighting[]) {
  const ground = createCoverage();
  for (const { timeUs, corners } of sightings) {
    const [a, b, c, d] = corners.map(([lon, lat]) => ({ lon, lat })) as [Point, Point, Point, Point];
    ground.add({ corners: [a, b, c, d] }, timeUs / 1e6);
  }
  return ground.area().geometry;
}

const boxAround = (middle: Position, metres: number): Position[] =>
  [315, 45, 135, 225].map((bearing) => at(middle, bearing, metres));

const askedAt = (index: number): { middle: Position; metres: number } => ({
  middle: at(middleFor(index), random() * 360, random() * 12_000),
  metres: index % 4 === 0 ? 0 : 20 * 10 ** (random() * 2.3),
});

const shapeIn = (ring: readonly Position[]) =>
  ring.length === 1 ? { type: 'Point', coordinates: ring[0] } : { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
const geometryOf = (ring: readonly Position[]) => encodeURIComponent(JSON.stringify(shapeIn(ring)));

type Spans = Lookback['spans'] | FoundSpans['spans'];
const timesOf = (spans: Spans) => spans.map(({ sensorId, from, to, first }) => [sensorId, from, to, first]);

it('answers a look back and Find by place over 200 flights as the rule over all of their footprints does', async () => {
  let seconds = 0;
  for (let index = 0; index < SHAPES; index += 1) {
    const { middle, metres } = askedAt(index);
    const ring = metres === 0 ? [middle] : boxAround(middle, metres);
    const { body } = await get<Lookback>(`/api/coverage/lookback?limit=500&geometry=${geometryOf(ring)}`);
    expect(body.more).toBe(false);
    const found = await post<FoundSpans>('/api/coverage/find', { shape: shapeIn(ring), limit: FOUND });
    expect(timesOf(found.body.spans)).toEqual(timesOf(body.spans.slice(0, FOUND)));
    for (const { sensorId, sightings, views } of flights) {
      const expected = secondsByRule(sightings, ring, views);
      seconds += expected.length;
      expect(secondsIn(body, sensorId)).toEqual(expected);
    }
  }
  expect(seconds).toBeGreaterThan(5000);
});

it('filters the list of missions by an area as a look back does, but near the border of a view', async () => {
  let [found, open] = [0, 0];
  for (let index = 0; index < SHAPES; index += 1) {
    const { middle, metres } = askedAt(index);
    const size = Math.max(metres, 200);
    const { body } = await get<Mission[]>(`/api/missions/brief?geometry=${geometryOf(boxAround(middle, size))}`);
    const listed = new Set(body.map(({ _id }) => _id));
    for (const { missionId, metres: view, views } of flights.filter((_, flight) => flight % OUTLINED === 0)) {
      // Corners of a square are further away from its middle than its sides.
      const near = Math.SQRT2 * (OUTLINE_M + OUTLINE_SHARE * view);
      const isIntersecting = (ring: Position[]) => {
        const shape = shapeOf(ring);
        return views.some((one) => one !== null && meets(one, shape));
      };
      const surely = isIntersecting(boxAround(middle, Math.max(1, size - near)));
      const perhaps = isIntersecting(boxAround(middle, size + near));
      if (surely) expect(listed).toContain(missionId);
      if (!perhaps) expect(listed).not.toContain(missionId);
      found += surely ? 1 : 0;
      open += surely === perhaps ? 0 : 1;
    }
  }
  expect(found).toBeGreaterThan(50);
  expect(open).toBeLessThan(found / 4);
});
