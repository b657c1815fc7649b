import proj4 from 'proj4';
import type { Conversion } from './table.ts';

/**
 * Converts projected coordinates to longitude, relative to the system's prime meridian, and latitude on its ellipsoid,
 * in degrees.
 */
export type Unproject = (x: number, y: number) => [lon: number, lat: number];
type Ellipsoid = { a: number; rf: number };

const at = (lat: number, lon: number): string => `+lat_0=${lat} +lon_0=${lon}`;
const from = (x: number, y: number): string => `+x_0=${x} +y_0=${y}`;

/** Builds the proj4 definition of each method. proj4 uses other names for the parameters than the table. */
const DEFINITIONS: Readonly<Record<string, (...parameters: number[]) => string>> = {
  tmerc: (lat = 0, lon = 0, k = 1, x = 0, y = 0) => `+proj=tmerc ${at(lat, lon)} +k_0=${k} ${from(x, y)}`,
  // Coordinates count westwards and southwards.
  tmercSouth: (lat = 0, lon = 0, k = 1, x = 0, y = 0) => `+proj=tmerc ${at(lat, lon)} +k_0=${k} ${from(-x, -y)}`,
  lcc1: (lat = 0, lon = 0, k = 1, x = 0, y = 0) => `+proj=lcc +lat_1=${lat} ${at(lat, lon)} +k_0=${k} ${from(x, y)}`,
  // The parallel of the scale factor (lat_1) differs from the latitude of origin (lat_0).
  lcc1b: (parallel = 0, lat = 0, lon = 0, k = 1, x = 0, y = 0) =>
    `+proj=lcc +lat_1=${parallel} ${at(lat, lon)} +k_0=${k} ${from(x, y)}`,
  lcc2: (lat = 0, lon = 0, first = 0, second = 0, x = 0, y = 0) =>
    `+proj=lcc +lat_1=${first} +lat_2=${second} ${at(lat, lon)} ${from(x, y)}`,
  aea: (lat = 0, lon = 0, first = 0, second = 0, x = 0, y = 0) =>
    `+proj=aea +lat_1=${first} +lat_2=${second} ${at(lat, lon)} ${from(x, y)}`,
  cass: (lat = 0, lon = 0, x = 0, y = 0) => `+proj=cass ${at(lat, lon)} ${from(x, y)}`,
  stereA: (lat = 0, lon = 0, k = 1, x = 0, y = 0) => `+proj=stere ${at(lat, lon)} +k_0=${k} ${from(x, y)}`,
  stereB: (parallel = 0, lon = 0, x = 0, y = 0) =>
    `+proj=stere ${at(Math.sign(parallel) * 90, lon)} +lat_ts=${parallel} ${from(x, y)}`,
  sterea: (lat = 0, lon = 0, k = 1, x = 0, y = 0) => `+proj=sterea ${at(lat, lon)} +k_0=${k} ${from(x, y)}`,
  omercA: (lat = 0, lon = 0, azimuth = 0, gamma = 0, k = 1, x = 0, y = 0) =>
    `+proj=omerc +lat_0=${lat} +lonc=${lon} +alpha=${azimuth} +gamma=${gamma} +k_0=${k} ${from(x, y)} +no_uoff`,
  omercB: (lat = 0, lon = 0, azimuth = 0, gamma = 0, k = 1, x = 0, y = 0) =>
    azimuth === 90 && gamma === 90
      ? `+proj=somerc ${at(lat, lon)} +k_0=${k} ${from(x, y)}`
      : `+proj=omerc +lat_0=${lat} +lonc=${lon} +alpha=${azimuth} +gamma=${gamma} +k_0=${k} ${from(x, y)}`,
  laea: (lat = 0, lon = 0, x = 0, y = 0) => `+proj=laea ${at(lat, lon)} ${from(x, y)}`,
  mercA: (_lat = 0, lon = 0, k = 1, x = 0, y = 0) => `+proj=merc +lon_0=${lon} +k_0=${k} ${from(x, y)}`,
  mercB: (parallel = 0, lon = 0, x = 0, y = 0) => `+proj=merc +lat_ts=${parallel} +lon_0=${lon} ${from(x, y)}`,
  cea: (parallel = 0, lon = 0, x = 0, y = 0) => `+proj=cea +lat_ts=${parallel} +lon_0=${lon} ${from(x, y)}`,
  poly: (lat = 0, lon = 0, x = 0, y = 0) => `+proj=poly ${at(lat, lon)} ${from(x, y)}`,
  krovak: (lat = 0, lon = 0, _axis = 0, _parallel = 0, k = 1, x = 0, y = 0) =>
    `+proj=krovak ${at(lat, lon)} +k_0=${k} ${from(x, y)}`,
  webmerc: (_lat = 0, lon = 0, x = 0, y = 0) => `+proj=merc +lon_0=${lon} ${from(x, y)}`,
  nzmg: (lat = 0, lon = 0, x = 0, y = 0) => `+proj=nzmg ${at(lat, lon)} ${from(x, y)}`,
};

/** Parameters of the only Krovak projection in use, which are built into proj4. */
const KROVAK = [49.5, 24.8333333333, 30.28813975, 78.5, 0.9999];
const NZMG = [-41, 173, 2510000, 6023150];

/**
 * Returns the inverse projection. Null for an unknown method, or if proj4 has fixed parameters for the method and these
 * differ.
 */
export function unprojector({ method, parameters, unitMetres }: Conversion, { a, rf }: Ellipsoid): Unproject | null {
  const definition = DEFINITIONS[method];
  if (definition === undefined || !parameters.every(Number.isFinite)) return null;
  if (method === 'krovak' && !KROVAK.every((value, index) => Math.abs(value - parameters[index]!) < 1e-6)) return null;
  if (method === 'nzmg' && !NZMG.every((value, index) => value === parameters[index])) return null;
  const shape = method === 'webmerc' ? `+a=${a} +b=${a}` : `+a=${a} +rf=${rf}`;
  const projection = proj4(`${definition(...parameters)} ${shape} +units=m +no_defs`);
  const sign = method === 'tmercSouth' ? -unitMetres : unitMetres;
  return (x, y) => projection.inverse([sign * x, sign * y]) as [number, number];
}
