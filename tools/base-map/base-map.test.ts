import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VectorTile } from '@mapbox/vector-tile';
import type { Feature, Position } from 'geojson';
import { PbfReader } from 'pbf';
import { beforeAll, expect, it } from 'vitest';
import { writeBaseMap } from './base-map.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'osprey-base-map-'));
  await writeBaseMap(folder);
  return () => rm(folder, { recursive: true });
});

/** The shapes of a layer in a tile, in degrees; null if there is no tile. */
async function shown(layer: string, z: number, x: number, y: number): Promise<Feature[] | null> {
  const bytes = await readFile(join(folder, `${z}/${x}/${y}.pbf`)).catch(() => null);
  if (bytes === null) return null;
  const of = new VectorTile(new PbfReader(bytes)).layers[layer];
  return Array.from({ length: of?.length ?? 0 }, (_, index) => of!.feature(index).toGeoJSON(x, y, z));
}

/** The finest tile that holds a place (XYZ, Web Mercator), degrees. */
function finestAt(lon: number, lat: number): [number, number, number] {
  const z = 5;
  const sine = Math.sin((lat * Math.PI) / 180);
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  return [z, Math.floor(((lon + 180) / 360) * 2 ** z), Math.floor(y * 2 ** z)];
}

const pointsOf = (value: unknown): Position[] =>
  Array.isArray(value) ? (typeof value[0] === 'number' ? [value as Position] : value.flatMap(pointsOf)) : [];

const pointsIn = (features: Feature[] | null) =>
  (features ?? []).flatMap(({ geometry }) => ('coordinates' in geometry ? pointsOf(geometry.coordinates) : []));

const isNear =
  ([lon, lat]: [number, number], degrees: number) =>
  (point: Position) =>
    Math.hypot(point[0]! - lon, point[1]! - lat) < degrees;

async function namesAt(lon: number, lat: number) {
  const names = (await shown('names', ...finestAt(lon, lat))) ?? [];
  return (name: string) => names.find(({ properties }) => properties?.name === name);
}

it('names cities and towns at their places, a capital before larger cities that are none', async () => {
  const athens = (await namesAt(23.7, 38))('Athens');
  const valletta = (await namesAt(14.5, 35.9))('Valletta');
  const cuxhaven = (await namesAt(8.7, 53.9))('Cuxhaven');

  expect(pointsIn([athens!]).every(isNear([23.728, 37.984], 0.003))).toBe(true);
  expect(valletta?.properties?.people).toBe(1_000_000);
  expect(pointsIn([cuxhaven!]).every(isNear([8.699, 53.868], 0.003))).toBe(true);
});

it('names only the largest in the coarse tiles', async () => {
  const people = ((await shown('names', 0, 0, 0)) ?? []).map(({ properties }) => properties?.people as number);

  expect(people.length).toBeGreaterThan(300);
  expect(Math.min(...people)).toBeGreaterThanOrEqual(1_000_000);
});

it('draws borders between land and land, none along a coast', async () => {
  // Spain and Portugal, on the lower Guadiana; Iceland has no border.
  expect(pointsIn(await shown('borders', ...finestAt(-7.4, 37.3))).some(isNear([-7.4, 37.3], 0.2))).toBe(true);
  expect(await shown('borders', ...finestAt(-19, 65))).toEqual([]);
});

it('draws islands that only a fine coast has, and nothing where there is only sea', async () => {
  // Kea and Makronisos.
  const kea = pointsIn(await shown('land', ...finestAt(24.33, 37.62)));

  expect(kea.some(isNear([24.33, 37.62], 0.15))).toBe(true);
  expect(kea.some(isNear([24.12, 37.71], 0.1))).toBe(true);
  expect(await shown('land', ...finestAt(-30, -45))).toBeNull();
});

it('cuts the land at the antimeridian, so that nothing smears across the map', async () => {
  const land = (await shown('land', 0, 0, 0))!;
  const rings = land.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon'
      ? geometry.coordinates.flat()
      : geometry.type === 'Polygon'
        ? geometry.coordinates
        : [],
  );
  const jump = (ring: Position[]) =>
    Math.max(...ring.slice(1).map(([lon = 0], index) => Math.abs(lon - ring[index]![0]!)));

  expect(rings.length).toBeGreaterThan(100);
  // Antarctica runs along the edge of the map; every other edge is short.
  const long = rings.filter((ring) => jump(ring) > 180);
  expect(long.every((ring) => ring.some(([, lat = 0]) => lat < -85))).toBe(true);
});

it('keeps each tile small and their number too', async () => {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && entry.name.endsWith('.pbf'),
  );
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await readFile(join(parentPath, name))).length),
  );

  expect(sizes.length).toBeGreaterThan(500);
  expect(sizes.length).toBeLessThan(1365);
  expect(Math.max(...sizes)).toBeLessThan(250_000);
});

it('lists the places that it names, the largest first, for looking them up', async () => {
  const list = JSON.parse(await readFile(join(folder, 'places.json'), 'utf8')) as Record<string, (string | number)[]>;
  const { names = [], countries = [], lons = [], lats = [] } = list;
  expect(names.length).toBeGreaterThan(40_000);
  expect([countries.length, lons.length, lats.length]).toEqual([names.length, names.length, names.length]);
  const at = names.indexOf('Tromsø');
  expect(countries[at]).toBe('NO');
  expect(lons[at]).toBeCloseTo(18.96, 1);
  expect(lats[at]).toBeCloseTo(69.65, 1);
  expect(names.indexOf('Paris')).toBeLessThan(at);
});
