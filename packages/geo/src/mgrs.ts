import { type Point, wrapLon } from './point.ts';
import { fromPolar, fromTransverse, type Grid, toPolar, toTransverse } from './transverse-mercator.ts';

/** Letters of MGRS (NGA.STND.0037), which omit I and O. */
const BANDS = 'CDEFGHJKLMNPQRSTUVWX';
const ROWS = 'ABCDEFGHJKLMNPQRSTUV';
const COLUMNS = ['ABCDEFGH', 'JKLMNPQR', 'STUVWXYZ'] as const;
const SQUARE_M = 100_000;
/** Distance in metres after which row letters repeat. */
const ROWS_M = 2_000_000;
const UTM = { scale: 0.9996, east: 500_000, south: 10_000_000 } as const;
const UPS = { scale: 0.994, origin: 2_000_000 } as const;

/**
 * Grid squares of the polar zones: A and B around the south pole, Y and Z around the north pole, each pair west and
 * east of meridian 0.
 */
const POLAR = {
  A: { columns: 'JKLPQRSTUXYZ', east: 800_000, rows: 'ABCDEFGHJKLMNPQRSTUVWXYZ', north: 800_000 },
  B: { columns: 'ABCFGHJKLPQR', east: 2_000_000, rows: 'ABCDEFGHJKLMNPQRSTUVWXYZ', north: 800_000 },
  Y: { columns: 'RSTUXYZ', east: 1_300_000, rows: 'ABCDEFGHJKLMNP', north: 1_300_000 },
  Z: { columns: 'ABCFGHJ', east: 2_000_000, rows: 'ABCDEFGHJKLMNP', north: 1_300_000 },
} as const;

type PolarZone = keyof typeof POLAR;

/** Returns the number of the UTM zone, including the exceptions for south-west Norway and Svalbard. */
function zoneOf({ lon, lat }: Point): number {
  if (lat >= 56 && lat < 64 && lon >= 3 && lon < 12) return 32;
  if (lat >= 72 && lon >= 0 && lon < 42) return lon < 9 ? 31 : lon < 21 ? 33 : lon < 33 ? 35 : 37;
  return Math.min(60, Math.floor((lon + 180) / 6) + 1);
}

const meridianOf = (zone: number): number => 6 * zone - 183;
const rowOffset = (zone: number): number => (zone % 2 === 0 ? 5 : 0);

/**
 * Formats a point as MGRS with 1 to 5 digits per axis, where 5 digits resolve 1 m: `35SKB5612862213`. Near the poles it
 * uses UPS: `ZAH0000000000`.
 */
export function formatMgrs(point: Point, digits = 5): string {
  const { lat } = point;
  const lon = point.lon === 180 ? -180 : wrapLon(point.lon);
  if (lat < -80 || lat >= 84) return polarText({ lon, lat }, digits);
  const zone = zoneOf({ lon, lat });
  const grid = toTransverse({ lon, lat }, meridianOf(zone));
  const east = grid.east * UTM.scale + UTM.east;
  const north = grid.north * UTM.scale + (lat < 0 ? UTM.south : 0);
  const column = COLUMNS[(zone - 1) % 3]![Math.floor(east / SQUARE_M) - 1];
  const row = ROWS[(Math.floor(north / SQUARE_M) + rowOffset(zone)) % 20];
  const band = BANDS[Math.min(19, Math.floor((lat + 80) / 8))];
  return `${String(zone).padStart(2, '0')}${band}${column}${row}${digitsOf(east, digits)}${digitsOf(north, digits)}`;
}

function polarText({ lon, lat }: Point, digits: number): string {
  const isNorth = lat > 0;
  const grid = toPolar({ lon, lat }, isNorth);
  const [east, north] = [grid.east * UPS.scale + UPS.origin, grid.north * UPS.scale + UPS.origin];
  const isEast = east >= UPS.origin;
  const zone: PolarZone = isNorth ? (isEast ? 'Z' : 'Y') : isEast ? 'B' : 'A';
  const squares = POLAR[zone];
  const column = squares.columns[Math.floor((east - squares.east) / SQUARE_M)];
  const row = squares.rows[Math.floor((north - squares.north) / SQUARE_M)];
  return `${zone}${column}${row}${digitsOf(east, digits)}${digitsOf(north, digits)}`;
}

const digitsOf = (metres: number, digits: number): string =>
  String(Math.floor((metres % SQUARE_M) / 10 ** (5 - digits))).padStart(digits, '0');

/** Returns the centre of the square that an MGRS text names, ignoring blanks; null if the text is not MGRS. */
export function parseMgrs(text: string): Point | null {
  const match = /^(\d{1,2})?([A-Z])([A-Z])([A-Z])((?:\d\d){0,5})$/.exec(text.toUpperCase().replace(/\s+/g, ''));
  if (!match) return null;
  const [, zoneText, band = '', column = '', row = '', digits = ''] = match;
  const half = digits.length / 2;
  const unit = 10 ** (5 - half);
  const offset = {
    east: Number(digits.slice(0, half) || 0) * unit + unit / 2,
    north: Number(digits.slice(half) || 0) * unit + unit / 2,
  };
  return zoneText === undefined
    ? polarPoint({ band, column, row }, offset)
    : zonePoint({ zone: Number(zoneText), band, column, row }, offset);
}

/**
 * Parses a place in UTM: zone and latitude band, then metres east and north, as in `32V 297508 6700645` or `32 V
 * 297508mE 6700645mN`. The zones are those of MGRS, including the exceptions for south-west Norway and Svalbard. Null
 * if the text is not UTM.
 */
export function parseUtm(text: string): Point | null {
  const match =
    /^(\d{1,2})\s*([C-HJ-NP-X])[\s,]+(\d{6}(?:\.\d+)?)\s*(?:m?\s*E)?[\s,]+(\d{1,8}(?:\.\d+)?)\s*(?:m?\s*N)?$/i.exec(
      text.trim(),
    );
  if (!match) return null;
  const [, zoneText, letter = '', east, north] = match;
  const [zone, bandAt] = [Number(zoneText), BANDS.indexOf(letter.toUpperCase())];
  if (zone < 1 || zone > 60) return null;
  const grid = {
    east: (Number(east) - UTM.east) / UTM.scale,
    north: (Number(north) - (bandAt < 10 ? UTM.south : 0)) / UTM.scale,
  };
  const point = fromTransverse(grid, meridianOf(zone));
  const [south, high] = [-80 + 8 * bandAt, letter.toUpperCase() === 'X' ? 12 : 8];
  // Tolerate half a degree, since people may write a place near a border with the neighbouring zone or band.
  const isInBand = point.lat > south - 0.5 && point.lat < south + high + 0.5;
  // Many people write N for the northern hemisphere rather than the band N; the coordinates mean the same place.
  const isNorth = letter.toUpperCase() === 'N' && point.lat >= 0 && point.lat < 84.5;
  const own = zoneOf(point);
  const isInZone =
    own === zone || [-0.5, 0.5].some((by) => zoneOf({ ...point, lon: wrapLon(point.lon + by) }) === zone);
  return (isInBand || isNorth) && isInZone ? point : null;
}

type Square = { band: string; column: string; row: string };

function polarPoint({ band, column, row }: Square, offset: Grid): Point | null {
  if (!(band in POLAR)) return null;
  const squares = POLAR[band as PolarZone];
  const [columnAt, rowAt] = [squares.columns.indexOf(column), squares.rows.indexOf(row)];
  if (columnAt < 0 || rowAt < 0) return null;
  const isNorth = band === 'Y' || band === 'Z';
  return fromPolar(
    {
      east: (squares.east + columnAt * SQUARE_M + offset.east - UPS.origin) / UPS.scale,
      north: (squares.north + rowAt * SQUARE_M + offset.north - UPS.origin) / UPS.scale,
    },
    isNorth,
  );
}

function zonePoint({ zone, band, column, row }: Square & { zone: number }, offset: Grid): Point | null {
  const bandAt = BANDS.indexOf(band);
  const columnAt = COLUMNS[(zone - 1) % 3]?.indexOf(column) ?? -1;
  const rowAt = ROWS.indexOf(row);
  if (zone < 1 || zone > 60 || bandAt < 0 || columnAt < 0 || rowAt < 0) return null;
  const meridian = meridianOf(zone);
  const isSouth = bandAt < 10;
  const lowest = toTransverse({ lon: meridian, lat: -80 + 8 * bandAt }, meridian).north * UTM.scale;
  const bottom = Math.floor((lowest + (isSouth ? UTM.south : 0)) / SQUARE_M) * SQUARE_M;
  let north = ((rowAt - rowOffset(zone) + 20) % 20) * SQUARE_M;
  while (north < bottom) north += ROWS_M;
  const point = fromTransverse(
    {
      east: ((columnAt + 1) * SQUARE_M + offset.east - UTM.east) / UTM.scale,
      north: (north + offset.north - (isSouth ? UTM.south : 0)) / UTM.scale,
    },
    meridian,
  );
  // A square at the edge of a band may extend slightly beyond it.
  const south = -80 + 8 * bandAt;
  return point.lat > south - 1 && point.lat < south + (band === 'X' ? 13 : 9) ? point : null;
}
