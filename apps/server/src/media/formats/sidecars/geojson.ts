import { eachFeature, type Json, objectOf, readGeoJsonPieces } from '../../../base/formats/geojson.ts';
import type { Place } from '../../../base/formats/numbers.ts';
import { utcOf } from './csv-time.ts';
import { type LostPlaces, placeValues } from './places.ts';
import type { SidecarRow } from './row.ts';
import { createTracks } from './tracks.ts';
import { setNumber } from './values.ts';

/** Altitudes of GeoJSON are above the ellipsoid (RFC 7946, 4). */
const SENSOR_ELLIPSOID_HEIGHT = 75;

/** Property names for the time of a point, and for the times of the points of a line. */
const TIME_NAMES = ['time', 'timestamp', 'timeStamp', 'datetime', 'dateTime', 'date'];
const TIMES_NAMES = ['coordTimes', 'times', 'timestamps'];

/**
 * Reads the positions with times of a GeoJSON file (RFC 7946): points with a time in their properties, and lines with a
 * time for each of their points, in `coordTimes`, `times` or `coordinateProperties.times`. If lines have the same
 * times, the first one is used.
 *
 * @throws BadFile
 */
export async function* readGeoJsonTimes(pieces: AsyncIterable<string>, lost: LostPlaces): AsyncGenerator<SidecarRow> {
  const tracks = createTracks();
  const rows: SidecarRow[] = [];

  function add(position: unknown, time: unknown, isOfLine: boolean): void {
    const timeUs = timeOf(time);
    const row = timeUs === null ? null : rowOf(position, timeUs, lost);
    if (row !== null) rows.push(isOfLine && tracks.addPoint(row.timeUs) ? { ...row, isCovered: true } : row);
  }

  function feature(value: unknown, named: unknown): void {
    const [geometry, properties] = [objectOf(value), objectOf(named)];
    if (geometry.type === 'Point') {
      const time = TIME_NAMES.map((name) => properties[name]).find((one) => one !== undefined);
      add(geometry.coordinates, time, false);
    }
    for (const [line, times] of linesOf(geometry, properties)) {
      tracks.begin();
      for (const [index, position] of line.entries()) add(position, times[index], true);
    }
  }

  for await (const part of readGeoJsonPieces(pieces)) {
    eachFeature(part, { feature, tooDeep: () => {} });
    yield* rows.splice(0);
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

function rowOf(position: unknown, timeUs: number, lost: LostPlaces): SidecarRow | null {
  const [lon, lat, height] = listOf(position);
  const place: Place | null = typeof lon === 'number' && typeof lat === 'number' ? [lon, lat] : null;
  const values = placeValues(place, lost);
  if (values === null) return null;
  setNumber(values, SENSOR_ELLIPSOID_HEIGHT, typeof height === 'number' ? height : null);
  return { timeUs, values };
}

/** Parses ISO 8601 (UTC if it has no zone), or a number since 1970 in seconds, milliseconds or microseconds. */
function timeOf(value: unknown): number | null {
  if (typeof value === 'string') return utcOf(value.trim(), true);
  if (typeof value !== 'number') return null;
  return utcOf(String(value > 1e11 ? Math.round(value) : value), true);
}
