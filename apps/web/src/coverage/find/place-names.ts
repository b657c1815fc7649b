import { foldedName } from '@osprey/contract';

/** A named place of the base map, degrees. */
export type NamedPlace = { name: string; country: string; lon: number; lat: number };

/** As the build writes it: columns of the same length, the largest place first. */
type List = { names: string[]; countries: string[]; lons: number[]; lats: number[] };
type Known = { places: NamedPlace[]; folded: string[] };

/** Made by the build (`tools/base-map`). */
const ADDRESS = '/base-map/places.json';

let known: Promise<Known> | null = null;

/** Places whose name, or a word of it, begins with this text, the largest first; marks and capitals make no difference. */
export async function placesNamed(text: string, limit: number): Promise<NamedPlace[]> {
  known ??= fetchPlaces();
  // A failure is not remembered: the server may be back for the next letter.
  known.catch(() => {
    known = null;
  });
  const { places, folded } = await known;
  const wanted = foldedName(text.trim());
  if (wanted === '') return [];
  const [whole, within]: [NamedPlace[], NamedPlace[]] = [[], []];
  for (const [at, name] of folded.entries()) {
    if (name.startsWith(wanted)) whole.push(places[at]!);
    else if (name.includes(` ${wanted}`)) within.push(places[at]!);
    if (whole.length === limit) break;
  }
  return [...whole, ...within].slice(0, limit);
}

async function fetchPlaces(): Promise<Known> {
  const response = await fetch(ADDRESS);
  // An installation without a base map has no names.
  if (response.status === 204) return { places: [], folded: [] };
  if (!response.ok) throw new Error(`${ADDRESS}: ${response.status}`);
  const { names, countries, lons, lats }: List = await response.json();
  const places = names.map((name, at) => ({ name, country: countries[at]!, lon: lons[at]!, lat: lats[at]! }));
  return { places, folded: names.map(foldedName) };
}
