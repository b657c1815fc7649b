import type { FeatureCollection, Point } from 'geojson';

/** A populated place from GeoNames; `coordinates` are in degrees, WGS 84, longitude first. */
export type City = {
  name: string;
  featureCode: string;
  /** ISO 3166-1 country code. */
  country: string;
  population: number;
  loc: { coordinates: [number, number] };
};

/** Places for look-up, as columns of equal length, the largest place first. Coordinates are in degrees. */
export type PlaceList = { names: string[]; countries: string[]; lons: number[]; lats: number[] };

/** `people` determines the order in which names are drawn; a capital counts as a city of at least a million. */
type PlaceName = { name: string; people: number };

const CAPITAL = 'PPLC';
const CAPITAL_FROM = 1_000_000;
/** GeoNames codes of inhabited places, excluding quarters of a city, abandoned places and farms. */
const INHABITED = /^PPL(?:|A\d?|C|G|S)$/;

/** Returns the cities as places, the largest first. */
const placesOf = (cities: readonly City[], fromPeople: number) =>
  cities
    .filter(({ featureCode }) => INHABITED.test(featureCode))
    .map(({ name, country, featureCode, population, loc: { coordinates } }) => ({
      name,
      people: featureCode === CAPITAL ? Math.max(population, CAPITAL_FROM) : population,
      country,
      coordinates,
    }))
    .filter(({ people }) => people >= fromPeople)
    .sort((a, b) => b.people - a.people);

/** Returns the places named on the map, for looking them up. */
export function listOf(cities: readonly City[], fromPeople: number): PlaceList {
  const places = placesOf(cities, fromPeople);
  return {
    names: places.map(({ name }) => name),
    countries: places.map(({ country }) => country),
    lons: places.map(({ coordinates: [lon] }) => Number(lon.toFixed(4))),
    lats: places.map(({ coordinates: [, lat] }) => Number(lat.toFixed(4))),
  };
}

/** Returns the names on the map as GeoJSON points, the largest place first. */
export function namesOf(cities: readonly City[], fromPeople: number): FeatureCollection<Point, PlaceName> {
  return {
    type: 'FeatureCollection',
    features: placesOf(cities, fromPeople).map(({ name, people, coordinates }) => ({
      type: 'Feature',
      properties: { name, people },
      geometry: { type: 'Point', coordinates },
    })),
  };
}
