import { readFileSync } from 'node:fs';
import type { AnnotationFeature, ImportedAnnotations, ShownAnnotation } from '@osprey/contract';
import { isInside } from '@osprey/geo';
import { expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { newAnnotationBody } from '../../../test/annotations.ts';
import { documentForm } from '../../../test/documents.ts';
import { addMission, addSensor } from '../../../test/missions.ts';
import { testServer } from '../../../test/server.ts';
import { asDrawn } from './drawn-areas.ts';

const server = await testServer();
const { db } = server;

type Ring = number[][];
type Place = [number, number];

async function imported(name: string, bytes: Buffer | string): Promise<AnnotationFeature[]> {
  const form = documentForm({}, { name, bytes: Buffer.from(bytes as string) });
  const answer = await server.asUser('SA').inject({ method: 'POST', url: '/api/annotations/import', ...form });
  const { parts, remarks } = answer.json() as ImportedAnnotations;
  expect(remarks).toEqual([]);
  return parts.flatMap(({ features }) => features);
}

async function created(features: AnnotationFeature[]): Promise<string> {
  const answer = await server.asUser('SA').inject({
    method: 'POST',
    url: '/api/annotations',
    payload: newAnnotationBody({ features, audience: 'everyone' }),
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return (answer.json() as { _id: string })._id;
}

async function exported(id: string, format: string): Promise<string> {
  const payload = { format, annotations: [id] };
  return (await server.asUser('SA').inject({ method: 'POST', url: '/api/annotations/export', payload })).body;
}

async function isShown(id: string, bbox: string): Promise<boolean> {
  const answer = await server.asUser('SA').inject({ url: `/api/annotations?bbox=${bbox}&zoom=3` });
  return (answer.json() as ShownAnnotation[]).some(({ _id }) => _id === id);
}

const areasOf = (text: string): Ring[][] =>
  (JSON.parse(text) as { features: AnnotationFeature[] }).features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon' ? [geometry.coordinates] : (geometry.coordinates as Ring[][]),
  );
const holds = (areas: Ring[][], place: Place) =>
  areas.some(
    ([outline, ...holes]) =>
      isInside(place, outline as Place[]) && !holes.some((hole) => isInside(place, hole as Place[])),
  );
const widest = (areas: Ring[][]) =>
  Math.max(
    ...areas.map(
      ([outline]) => Math.max(...outline!.map(([lon = 0]) => lon)) - Math.min(...outline!.map(([lon = 0]) => lon)),
    ),
  );

itWithData.each([
  [
    'geojson-world.geojson',
    [
      [0, 0],
      [179, -80],
      [-100, 60],
    ],
    [],
  ],
  [
    'f-world-rectangle.geojson',
    [
      [0, 0],
      [179, -80],
      [-100, 60],
    ],
    [],
  ],
  [
    'f-wide-rectangle.geojson',
    [
      [0, 0],
      [-119, -39],
      [119, 39],
    ],
    [
      [180, 0],
      [-130, 0],
      [0, 41],
    ],
  ],
  [
    'geojson-hole-dateline.geojson',
    [
      [179, 0],
      [-171, 9],
      [176, 7],
    ],
    [
      [176, 0],
      [0, 0],
      [160, 0],
    ],
  ],
] as [string, Place[], Place[]][])(
  '%s is imported as drawn, found by the map and exported in pieces below half a turn',
  async (name, within, beyond) => {
    const id = await created(await imported(name, readFileSync(testData(`field3/${name}`))));

    const text = await exported(id, 'geojson');
    for (const areas of [
      areasOf(text),
      areasOf(await exported(await created(await imported('a.kml', await exported(id, 'kml'))), 'geojson')),
    ]) {
      for (const place of within) expect(holds(areas, place), String(place)).toBe(true);
      for (const place of beyond) expect(holds(areas, place), String(place)).toBe(false);
      expect(widest(areas)).toBeLessThan(180);
    }
    expect(await exported(id, 'gpx')).toContain('<trkpt');
    for (const [lon, lat] of within) {
      expect(await isShown(id, [lon - 0.1, lat - 0.1, lon + 0.1, lat + 0.1].join())).toBe(true);
    }
    // Maps find outlines, whether or not a hole is there.
    for (const [lon, lat] of beyond.slice(1))
      expect(await isShown(id, [lon - 0.1, lat - 0.1, lon, lat].join())).toBe(false);
  },
);

itWithData('an area of 240 degrees is the same as a question of the list, and taken by Find', async () => {
  const text = readFileSync(testData('field3/f-wide-rectangle.geojson'), 'utf8');
  const { coordinates } = (JSON.parse(text) as { features: { geometry: { coordinates: Ring[] } }[] }).features[0]!
    .geometry;
  const missions = await Promise.all(
    (
      [
        [20, 10],
        [179, 10],
      ] as Place[]
    ).map(async ([lon, lat]) => {
      const mission_id = await addMission(db, { state: 'Ready' });
      const sensor_id = await addSensor(db, mission_id, { state: 'Ready' });
      const shape = `((${lon},${lat}),(${lon + 0.1},${lat}),(${lon},${lat + 0.1}))`;
      await db.insertInto('mission_shapes').values({ mission_id, sensor_id, aoi_mode: 'sensorArea', shape }).execute();
      return mission_id;
    }),
  );
  const asked = encodeURIComponent(JSON.stringify({ type: 'Polygon', coordinates }));
  const answer = await server.asUser('SA').inject({ url: `/api/missions/brief?geometry=${asked}` });
  expect((answer.json() as { _id: string }[]).map(({ _id }) => _id)).toEqual([missions[0]]);
  const find = await server.asUser('SA').inject({
    ...{ method: 'POST', url: '/api/coverage/find' },
    payload: { shape: { type: 'Polygon', coordinates } },
  });
  expect(find.statusCode).toBe(200);
});

it('takes longitudes past 180 degrees as drawn, and refuses what goes around the earth more than once', async () => {
  const box = (west: number, east: number) => ({
    type: 'Polygon',
    coordinates: [
      [
        [west, -10],
        [east, -10],
        [east, 10],
        [west, 10],
        [west, -10],
      ],
    ],
  });
  const read = async (geometry: object) => {
    const form = documentForm({}, { name: 'a.geojson', bytes: Buffer.from(JSON.stringify(geometry)) });
    const answer = await server.asUser('SA').inject({ method: 'POST', url: '/api/annotations/import', ...form });
    return answer.json() as ImportedAnnotations;
  };
  const { parts } = await read(box(60, 300));
  const areas = areasOf(await exported(await created(parts[0]!.features), 'geojson'));
  expect([holds(areas, [179.9, 0]), holds(areas, [-100, 0]), holds(areas, [0, 0])]).toEqual([true, true, false]);
  const twice = await read(box(-300, 300));
  expect([twice.parts, twice.remarks.map(({ reason }) => reason)]).toEqual([
    [],
    [
      'Longitudes beyond 180 degrees were taken back onto the globe.',
      'Its outline goes around the earth more than once.',
    ],
  ]);
  expect(
    asDrawn({
      type: 'LineString',
      coordinates: [
        [170, 0],
        [-170, 0],
      ],
    }),
  ).toMatchObject({
    coordinates: [
      [170, 0],
      [-170, 0],
    ],
  });
});

it('keeps the way round of a wide area of many positions, in what maps show and find', async () => {
  const parallel = (lat: number) => Array.from({ length: 61 }, (_, at) => [at * 4 - 120, lat + (at % 2) / 100]);
  const ring = [...parallel(-40), ...parallel(40).toReversed(), [-120, -40]];
  const id = await created(await imported('a.geojson', JSON.stringify({ type: 'Polygon', coordinates: [ring] })));
  expect([await isShown(id, '-1,-1,1,1'), await isShown(id, '179,-1,180,1')]).toEqual([true, false]);
  const answer = await server.asUser('SA').inject({ url: '/api/annotations?bbox=-180,-85,180,85&zoom=0' });
  const shown = (answer.json() as ShownAnnotation[]).find(({ _id }) => _id === id)!;
  const [outline = []] = areasOf(JSON.stringify(shown))[0]!;
  expect(outline.length).toBeLessThan(60);
  const turns = outline.slice(1).map(([lon = 0], at) => Math.abs(lon - outline[at]![0]!));
  expect(Math.max(...turns)).toBeLessThanOrEqual(90);
});
