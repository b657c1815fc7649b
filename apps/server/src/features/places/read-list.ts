import {
  SITE_PLACES_BYTES_MAX,
  SITE_PLACES_MAX,
  SITE_PLACES_PROBLEMS_MAX,
  type SitePlace,
  type SitePlaceProblem,
} from '@osprey/contract';
import { type CsvRow, csvRows } from '../../base/formats/csv.ts';
import { numberOf } from '../../base/formats/numbers.ts';

const SEPARATORS = [';', '\t', ','] as const;
const NAME_MAX = 128;
const KIND_MAX = 40;
/** Accepted column names, including those common in lists from other sources. */
const COLUMNS: Record<string, keyof SitePlace> = {
  ...{ name: 'name', kind: 'kind', latitude: 'lat', lat: 'lat' },
  ...{ longitude: 'lon', lon: 'lon', lng: 'lon', long: 'lon' },
};
const NEEDED = ['name', 'lat', 'lon'] as const;
const TITLES = { name: 'name', lat: 'latitude', lon: 'longitude', kind: 'kind' } as const;

export type ReadPlaces = {
  places: (SitePlace & { line: number })[];
  /** Problems of the first invalid lines; `count` is the number of all invalid lines. */
  problems: SitePlaceProblem[];
  count: number;
};

/**
 * Reads a CSV file of places. The first line names the columns, and each further line is one place. Lines are counted
 * from 1.
 */
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
  const rows = rowsOf(text.replace(/^\ufeff/, ''));
  const [head, ...body] = rows;
  const columns = (head?.cells ?? []).map((cell) => COLUMNS[cell.toLowerCase()]);
  const missing = NEEDED.find((name) => !columns.includes(name));
  if (missing !== undefined) {
    problem(
      head?.line ?? 1,
      `The first line must name the columns: name, latitude, longitude and, if wanted, kind. There is no ${TITLES[missing]}.`,
    );
    return found;
  }
  for (const row of body) {
    if (found.places.length + found.count >= SITE_PLACES_MAX) {
      problem(row.line, `The list has more than ${SITE_PLACES_MAX} places.`);
      break;
    }
    const read = placeOf(row, columns);
    if (typeof read === 'string') problem(row.line, read);
    else found.places.push({ ...read, line: row.line });
  }
  if (found.places.length === 0 && found.count === 0) problem(head?.line ?? 1, 'The list has no places.');
  return found;
}

type Row = CsvRow & { separator: string };

/** Returns the non-empty rows, beginning with the header. */
function rowsOf(text: string): Row[] {
  const first = /^\s*([^\r\n]*)/.exec(text)?.[1] ?? '';
  const separator = SEPARATORS.find((one) => first.includes(one)) ?? ',';
  return csvRows(text, { separator, linesInCells: false })
    .map((row) => ({ ...row, separator, cells: row.cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.length > 1 || cells[0] !== '');
}

/** Reads the place in one line; returns a sentence with the problem if the line contains none. */
function placeOf({ cells, isOpen, separator }: Row, columns: readonly (keyof SitePlace | undefined)[]) {
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
  const degrees = numberOf(text);
  return degrees !== null && Math.abs(degrees) <= most ? degrees : null;
}

const shown = (cell: string): string => `"${cell.slice(0, 20)}"`;
