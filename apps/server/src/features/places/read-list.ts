import {
  SITE_PLACES_BYTES_MAX,
  SITE_PLACES_MAX,
  SITE_PLACES_PROBLEMS_MAX,
  type SitePlace,
  type SitePlaceProblem,
} from '@osprey/contract';
import { splitTable } from '../../media/formats/sidecars/csv.ts';

const SEPARATORS = [';', '\t', ','] as const;
const NAME_MAX = 128;
const KIND_MAX = 40;
/** Names of columns that lists of others have. */
const COLUMNS: Record<string, keyof SitePlace> = {
  ...{ name: 'name', kind: 'kind', latitude: 'lat', lat: 'lat' },
  ...{ longitude: 'lon', lon: 'lon', lng: 'lon', long: 'lon' },
};
const NEEDED = ['name', 'lat', 'lon'] as const;
const TITLES = { name: 'name', lat: 'latitude', lon: 'longitude', kind: 'kind' } as const;

export type ReadPlaces = {
  places: (SitePlace & { line: number })[];
  /** Problems of the first lines that have one; `count` counts all such lines. */
  problems: SitePlaceProblem[];
  count: number;
};

/** Reads a CSV file of places: each line is one, and the first names the columns. Lines are counted from 1. */
export function readPlaces(text: string): ReadPlaces {
  const found: ReadPlaces = { places: [], problems: [], count: 0 };
  const problem = (line: number, words: string) => {
    found.count += 1;
    if (found.problems.length < SITE_PLACES_PROBLEMS_MAX) found.problems.push({ line, text: words });
  };
  if (Buffer.byteLength(text) > SITE_PLACES_BYTES_MAX) {
    problem(1, `The file is larger than ${SITE_PLACES_BYTES_MAX / 1024 / 1024} MiB.`);
    return found;
  }
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  const first = lines.findIndex((line) => line.trim() !== '');
  const separator = SEPARATORS.find((one) => lines[first]?.includes(one)) ?? ',';
  const columns = first < 0 ? [] : cellsOf(lines[first]!, separator).cells.map((cell) => COLUMNS[cell.toLowerCase()]);
  const missing = NEEDED.find((name) => !columns.includes(name));
  if (missing !== undefined) {
    problem(
      Math.max(1, first + 1),
      `The first line must name the columns: name, latitude, longitude and, if wanted, kind. There is no ${TITLES[missing]}.`,
    );
    return found;
  }
  for (let at = first + 1; at < lines.length; at += 1) {
    if (lines[at]!.trim() === '') continue;
    if (found.places.length + found.count >= SITE_PLACES_MAX) {
      problem(at + 1, `The list has more than ${SITE_PLACES_MAX} places.`);
      break;
    }
    const read = placeOf(lines[at]!, separator, columns);
    if (typeof read === 'string') problem(at + 1, read);
    else found.places.push({ ...read, line: at + 1 });
  }
  if (found.places.length === 0 && found.count === 0) problem(first + 1, 'The list has no places.');
  return found;
}

function cellsOf(line: string, separator: string) {
  const { rows, isOpen } = splitTable(line, separator);
  return { cells: (rows[0] ?? []).map((cell) => cell.trim()), isOpen };
}

/** Reads the place of one line; returns a sentence with the problem if the line holds none. */
function placeOf(line: string, separator: string, columns: readonly (keyof SitePlace | undefined)[]) {
  const { cells, isOpen } = cellsOf(line, separator);
  if (isOpen) return 'A cell begins with a quotation mark and does not end with one.';
  const of = (name: keyof SitePlace) => cells[columns.indexOf(name)] ?? '';
  const [name, kind] = [of('name'), of('kind')];
  if (name === '') return 'The name is missing.';
  if (name.length > NAME_MAX) return `The name is longer than ${NAME_MAX} characters.`;
  if (kind.length > KIND_MAX) return `The kind is longer than ${KIND_MAX} characters.`;
  if (/\p{Cc}|\ufffd/u.test(name + kind)) return 'It has characters that are not text. Save the file as UTF-8.';
  const lat = degreesOf(of('lat'), separator, 90);
  if (lat === null) return `The latitude ${shown(of('lat'))} is no number from -90 to 90.`;
  const lon = degreesOf(of('lon'), separator, 180);
  if (lon === null) return `The longitude ${shown(of('lon'))} is no number from -180 to 180.`;
  return { name, kind, lat, lon };
}

function degreesOf(cell: string, separator: string, most: number): number | null {
  const text = separator === ',' ? cell : cell.replace(',', '.');
  if (!/^[+-]?\d{1,3}(\.\d{1,15})?$/.test(text)) return null;
  const degrees = Number(text);
  return Math.abs(degrees) <= most ? degrees : null;
}

const shown = (cell: string): string => `"${cell.slice(0, 20)}"`;
