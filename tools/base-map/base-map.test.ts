import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FeatureCollection, MultiLineString, Point } from 'geojson';
import { expect, it, onTestFinished } from 'vitest';
import { type PlaceName, writeBaseMap } from './base-map.ts';

type Names = FeatureCollection<Point, PlaceName>;

async function written() {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-base-map-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeBaseMap(folder);
  const read = async (name: string) => JSON.parse(await readFile(join(folder, `${name}.geojson`), 'utf8'));
  return {
    borders: (await read('borders')) as MultiLineString,
    cities: (await read('cities')) as Names,
    towns: (await read('towns')) as Names,
  };
}

const placeOf = ({ features }: Names, name: string) => features.find(({ properties }) => properties.name === name);

it('writes borders, cities and towns with their places, the largest first', async () => {
  const { borders, cities, towns } = await written();

  expect(placeOf(cities, 'Athens')?.geometry.coordinates).toEqual([23.728, 37.984]);
  // A capital comes before larger cities that are none.
  expect(placeOf(cities, 'Valletta')?.properties.people).toBe(1_000_000);
  expect(placeOf(cities, 'Cuxhaven')).toBeUndefined();
  expect(placeOf(towns, 'Cuxhaven')?.geometry.coordinates).toEqual([8.699, 53.868]);
  for (const { features } of [cities, towns]) {
    const people = features.map(({ properties }) => properties.people);
    expect(people).toEqual(people.toSorted((a, b) => b - a));
  }
  expect(towns.features.length).toBeGreaterThan(30_000);
  expect(towns.features.every(({ properties }) => properties.people >= 5000)).toBe(true);
  const points = borders.coordinates.flat();
  expect(points.every(([lon = 999, lat = 999]) => Math.abs(lon) <= 180 && Math.abs(lat) <= 90)).toBe(true);
  // Spain and Portugal, on the lower Guadiana.
  expect(points.some(([lon = 0, lat = 0]) => Math.abs(lon + 7.4) < 0.1 && Math.abs(lat - 37.3) < 0.2)).toBe(true);
  // Nothing runs along a coast: Malta and Iceland border on nobody.
  expect(points.some(([lon = 0, lat = 0]) => lon > -25 && lon < -13 && lat > 63 && lat < 67)).toBe(false);
});
