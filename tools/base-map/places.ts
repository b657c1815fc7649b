import type { FeatureCollection, Point } from 'geojson';

/** A populated place of GeoNames; `coordinates` in degrees, WGS 84, longitude first. */
export type City = {
  name: string;
  featureCode: string;
  population: number;
  loc: { coordinates: [number, number] };
};

/** `people`: by how many a name comes before another; a capital counts as a city of a million at least. */
type PlaceName = { name: string; people: number };

const CAPITAL = 'PPLC';
const CAPITAL_FROM = 1_000_000;
/** Places with people of today: no quarters of a city, nothing that was given up or is a farm. */
const INHABITED = /^PPL(?:|A\d?|C|G|S)$/;

/** The largest first. */
export function namesOf(cities: readonly City[], fromPeople: number): FeatureCollection<Point, PlaceName> {
  const places = cities
    .filter(({ featureCode }) => INHABITED.test(featureCode))
    .map(({ name, featureCode, population, loc: { coordinates } }) => ({
      name,
      people: featureCode === CAPITAL ? Math.max(population, CAPITAL_FROM) : population,
      coordinates,
    }))
    .filter(({ people }) => people >= fromPeople)
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
