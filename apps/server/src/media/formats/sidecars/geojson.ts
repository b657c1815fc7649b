import { utcOf } from './csv-time.ts';
import { readFeatures } from './geojson-features.ts';
import type { SidecarRow } from './row.ts';
import { createTracks } from './tracks.ts';
import { setNumber } from './values.ts';

const SENSOR_LATITUDE = 13;
const SENSOR_LONGITUDE = 14;
/** RFC 7946, 4: heights are those above the ellipsoid. */
const SENSOR_ELLIPSOID_HEIGHT = 75;

/** Property names for the time of a point, and for the times of the points of a line. */
const TIME_NAMES = ['time', 'timestamp', 'timeStamp', 'datetime', 'dateTime', 'date'];
const TIMES_NAMES = ['coordTimes', 'times', 'timestamps'];

type Json = Readonly<Record<string, unknown>>;
const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

/**
 * Places with times of a GeoJSON file (RFC 7946): points with a time in their properties, and lines with one for each
 * of their points, in `coordTimes`, `times` or `coordinateProperties.times`. If lines have the same times, the first
 * counts.
 *
 * @throws Error when it is not JSON, or when one feature is too long
 */
export async function* readGeoJsonTimes(pieces: AsyncIterable<string>): AsyncGenerator<SidecarRow> {
  const tracks = createTracks();
  for await (const value of readFeatures(pieces)) {
    const feature = objectOf(value);
    const geometry = objectOf(feature.geometry);
    const properties = objectOf(feature.properties);
    if (geometry.type === 'Point') {
      const timeUs = timeOf(TIME_NAMES.map((name) => properties[name]).find((one) => one !== undefined));
      const row = rowOf(geometry.coordinates, timeUs);
      if (row !== null) yield row;
      continue;
    }
    for (const [line, times] of linesOf(geometry, properties)) {
      tracks.begin();
      for (const [index, position] of line.entries()) {
        const row = rowOf(position, timeOf(times[index]));
        if (row !== null) yield { ...row, ...(tracks.addPoint(row.timeUs) && { isCovered: true }) };
      }
    }
  }
}

type Line = [positions: readonly unknown[], times: readonly unknown[]];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function linesOf({ type, coordinates }: Json, properties: Json): Line[] {
  const within = objectOf(properties.coordinateProperties);
  const times = [...TIMES_NAMES.map((name) => properties[name]), within.times].find(Array.isArray) ?? [];
  if (type === 'LineString') return [[listOf(coordinates), times]];
  if (type !== 'MultiLineString') return [];
  return listOf(coordinates).map((line, index) => [listOf(line), listOf(times[index])]);
}

function rowOf(position: unknown, timeUs: number | null): SidecarRow | null {
  const [lon, lat, height] = listOf(position);
  if (typeof lon !== 'number' || typeof lat !== 'number' || timeUs === null) return null;
  const values: SidecarRow['values'] = {};
  setNumber(values, SENSOR_LATITUDE, lat);
  setNumber(values, SENSOR_LONGITUDE, lon);
  setNumber(values, SENSOR_ELLIPSOID_HEIGHT, typeof height === 'number' ? height : null);
  return { timeUs, values };
}

/** ISO 8601, UTC where it has no zone, or a number since 1970 in seconds, milliseconds or microseconds. */
function timeOf(value: unknown): number | null {
  if (typeof value === 'string') return utcOf(value.trim(), true);
  if (typeof value !== 'number') return null;
  return utcOf(String(value > 1e11 ? Math.round(value) : value), true);
}
