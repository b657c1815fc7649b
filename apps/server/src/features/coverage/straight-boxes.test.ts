import type { FoundSpans, Mission } from '@osprey/contract';
import {
  cellsOfAll,
  createCoverage,
  destination,
  entriesOf,
  meets,
  type Position,
  rounded,
  type Shape,
  type Sighting,
  shapeOf,
  toPosition,
} from '@osprey/geo';
import { beforeAll, expect, it } from 'vitest';
import { addMission, addSensor } from '../../../test/missions.ts';
import { numbers } from '../../../test/numbers.ts';
import { askAs } from '../../../test/recordings.ts';
import { testServer } from '../../../test/server.ts';
import { polygonText } from '../../base/db/query-geometry.ts';
import { coverageKey, coveredMinutes } from '../../media/ingest/coverage.ts';
import { outlinesOf } from '../../media/ingest/ground.ts';

const server = await testServer();
const { db } = server;
const { get, post } = askAs(server, 'SA');

const MISSIONS = 60;
const BOXES = 1000;
const START_S = 1_790_000_000;
const random = numbers(8);

type Seen = { missionId: string; view: Shape };
const missions: Seen[] = [];

/** Most views lie where the sides of boxes are far from great circles; some at the antimeridian and at the poles. */
function placeFor(index: number): Position {
  if (index % 6 === 0) return [random() < 0.5 ? 179.99 : -179.99, random() * 120 - 60];
  if (index % 6 === 1) return [random() * 360 - 180, (random() < 0.5 ? 1 : -1) * (70 + random() * 19)];
  return [random() * 360 - 180, (random() < 0.5 ? 1 : -1) * (20 + random() * 40)];
}

beforeAll(async () => {
  for (let index = 0; index < MISSIONS; index += 1) {
    const [lon, lat] = placeFor(index);
    const corners = [315, 45, 135, 225].map((bearing) => toPosition(destination({ lon, lat }, bearing, 150)));
    const sighting = rounded({
      ...{ timeUs: (START_S + index * 100) * 1e6, platform: null },
      corners: corners as unknown as Sighting['corners'],
    });
    const missionId = await addMission(db, { state: 'Ready' });
    const sensorId = await addSensor(db, missionId, { state: 'Ready', index_key: 'boxes' });
    const ground = createCoverage();
    ground.add({ corners: sighting.corners.map(([x, y]) => ({ lon: x, lat: y })) }, sighting.timeUs / 1e6);
    for (const outline of outlinesOf(ground.area().geometry)) {
      const shape = polygonText(outline);
      await db
        .insertInto('mission_shapes')
        .values({ mission_id: missionId, sensor_id: sensorId, aoi_mode: 'sensorArea', shape })
        .execute();
    }
    const cells = entriesOf(cellsOfAll([sighting.corners]));
    await db
      .insertInto('coverage_sensors')
      .values({ sensor_id: sensorId, index_key: coverageKey('boxes'), footprints: 1, cells, seen: true })
      .execute();
    const each = (async function* () {
      yield sighting;
    })();
    for await (const { count: _, footprints, ...minute } of coveredMinutes(each)) {
      const row = { ...minute, sensor_id: sensorId, footprints: Buffer.from(footprints) };
      await db.insertInto('coverage_minutes').values(row).execute();
    }
    missions.push({ missionId, view: shapeOf(sighting.corners) });
  }
});

type Box = { west: number; south: number; widthDeg: number; north: number };

function randomBox(): Box {
  const widthDeg = random() < 0.3 ? 180 + random() * 180 : 5 + random() * 170;
  const heightDeg = 2 + random() * 80;
  const south = -90 + random() * (180 - heightDeg);
  return { west: random() * 360 - 180, south, widthDeg, north: south + heightDeg };
}

const wrapped = (lon: number) => (lon > 180 ? lon - 360 : lon);
const ringOf = ({ west, south, widthDeg, north }: Box): Position[] => [
  [west, south],
  [west + widthDeg, south],
  [west + widthDeg, north],
  [west, north],
  [west, south],
];
/** With points on the long sides, so that a side of half a turn and more is certain, and longitudes within ±180. */
function askedRing(box: Box): Position[] {
  const ring = ringOf(box);
  return ring.flatMap(([lon, lat], at): Position[] => {
    const next = ring[at + 1] ?? [lon, lat];
    return [0, 1 / 3, 2 / 3].flatMap((share): Position[] =>
      share > 0 && next[0] === lon ? [] : [[wrapped(lon + (next[0] - lon) * share), lat]],
    );
  });
}

it('Find and filter give the same missions for 1,000 random boxes', { timeout: 300_000 }, async () => {
  const counts = { found: 0, wide: 0, otherwise: 0 };
  for (let index = 0; index < BOXES; index += 1) {
    const box = randomBox();
    const bbox = [box.west, box.south, wrapped(box.west + box.widthDeg), box.north].join(',');
    const ring = askedRing(box);
    const shape = { type: 'Polygon', coordinates: [ring] };
    const found = await post<FoundSpans>('/api/coverage/find', { shape, limit: 200 });
    const listed = await get<Mission[]>(`/api/missions/brief?geometry=${bbox}&limit=500`);
    const [byFind, byFilter] = [
      new Set(found.body.spans.map(({ missionId }) => missionId)),
      new Set(listed.body.map(({ _id }) => _id)),
    ];
    expect([...byFind].sort(), JSON.stringify(box)).toEqual([...byFilter].sort());
    counts.found += byFind.size;
    if (box.widthDeg >= 180) counts.wide += byFind.size;
    else
      counts.otherwise += missions.filter(
        ({ missionId, view }) => byFind.has(missionId) !== meetsGreat(view, box),
      ).length;
  }
  expect(counts.found).toBeGreaterThan(5000);
  expect(counts.wide).toBeGreaterThan(2000);
  // Great circles between the corners give other missions: the test can fail.
  expect(counts.otherwise).toBeGreaterThan(300);
});

function meetsGreat(view: Shape, box: Box): boolean {
  try {
    return meets(view, shapeOf(ringOf(box).slice(0, -1)));
  } catch {
    return false;
  }
}
