import { foldedName } from '@osprey/contract';
import { distanceM, type Point } from '@osprey/geo';

/** A named place of the base map, with its position in degrees. */
export type NamedPlace = { name: string; country: string; lon: number; lat: number };

/** List of places as written by the build: columns of equal length, largest place first. */
type List = { names: string[]; countries: string[]; lons: number[]; lats: number[] };
type Known = { places: NamedPlace[]; folded: string[] };

/** Address of the list of places, which the build creates (`tools/base-map`). */
const ADDRESS = '/base-map/places.json';

let known: Promise<Known> | null = null;

/**
 * Returns places whose name, or a word of it, begins with this text, largest first. Diacritics and upper case are
 * ignored.
 */
export async function placesNamed(text: string): Promise<NamedPlace[]> {
  known ??= fetchPlaces();
  // A failed request is not cached, since the server may be available again for the next letter.
  known.catch(() => {
    known = null;
  });
  const { places, folded } = await known;
  const requested = foldedName(text.trim());
  if (requested === '') return [];
  return places.filter((_place, at) => ` ${folded[at]}`.includes(` ${requested}`));
}

/**
 * Orders places: first names that equal the text, then names that begin with it, then the others. Within each group,
 * the places nearest to `near` come first; without `near`, the given order is kept.
 */
export function inOrder<Place extends { name: string } & Point>(
  places: readonly Place[],
  text: string,
  near: Point | null,
): Place[] {
  const requested = foldedName(text.trim());
  const ranked = places.map((place) => {
    const name = foldedName(place.name);
    const rank = name === requested ? 2 : Number(name.startsWith(requested));
    return { place, fit: rank, farM: near === null ? 0 : distanceM(near, place) };
  });
  return ranked.sort((a, b) => b.fit - a.fit || a.farM - b.farM).map(({ place }) => place);
}

async function fetchPlaces(): Promise<Known> {
  const response = await fetch(ADDRESS);
  // An installation without a base map has no list of places.
  if (response.status === 204) return { places: [], folded: [] };
  if (!response.ok) throw new Error(`${ADDRESS}: ${response.status}`);
  const { names, countries, lons, lats }: List = await response.json();
  const places = names.map((name, at) => ({ name, country: countries[at]!, lon: lons[at]!, lat: lats[at]! }));
  return { places, folded: names.map(foldedName) };
}
