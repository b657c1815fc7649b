import { SaxesParser } from 'saxes';
import { utcTime } from '../utc-time.ts';
import { setNumber } from './csv.ts';
import type { SidecarRow } from './row.ts';
import { numberOf } from './text.ts';

const SENSOR_LATITUDE = 13;
const SENSOR_LONGITUDE = 14;
const SENSOR_ALTITUDE = 15;
const PLATFORM_GROUND_SPEED = 56;

/** Times of so many tracks are remembered. */
const TRACKS_MAX = 1000;
const DEPTH_MAX = 16;
const TEXT_MAX = 64;
/** The parser keeps a text, a tag or a comment until it ends: one that is longer ends the reading instead. */
const WHOLE_MAX = 1024 * 1024;

/**
 * Track points of a GPX 1.0 or 1.1 file that have a time. Where tracks lie at the same time, those of the first count. A
 * document type, and with it every entity but those of XML itself, ends the reading.
 *
 * @throws Error when it is not well-formed, or when too much stands between two tags
 */
export async function* readGpx(pieces: AsyncIterable<string>): AsyncGenerator<SidecarRow> {
  const parser = new SaxesParser({ position: false });
  let rows: SidecarRow[] = [];
  let point: { lat: number | null; lon: number | null; fields: Map<string, string> } | null = null;
  const tracks = createTracks();
  let text = '';
  let depth = 0;
  let sinceTag = 0;

  parser.on('doctype', () => {
    throw new Error('Document types are not taken');
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    sinceTag = 0;
    depth += 1;
    if (depth > DEPTH_MAX) throw new Error('Nested too deep');
    text = '';
    if (local(name) === 'trk') tracks.begin();
    if (local(name) === 'trkpt') {
      point = { lat: numberOf(String(attributes.lat)), lon: numberOf(String(attributes.lon)), fields: new Map() };
    }
  });
  parser.on('text', (part) => {
    if (text.length < TEXT_MAX) text += part.slice(0, TEXT_MAX);
  });
  parser.on('closetag', ({ name }) => {
    sinceTag = 0;
    depth -= 1;
    if (point !== null && local(name) !== 'trkpt') point.fields.set(local(name), text.trim());
    if (point !== null && local(name) === 'trkpt') {
      const row = toRow(point);
      if (row !== null) rows.push(tracks.addPoint(row.timeUs) ? { ...row, isCovered: true } : row);
      point = null;
    }
    text = '';
  });

  for await (const piece of pieces) {
    sinceTag += piece.length;
    parser.write(piece);
    if (sinceTag > WHOLE_MAX) throw new Error('Too long without a tag');
    yield* rows;
    rows = [];
  }
  parser.close();
  yield* rows;
}

/** The times of the tracks before the one that is read. */
function createTracks() {
  const before: { fromUs: number; toUs: number }[] = [];
  let fromUs = Number.POSITIVE_INFINITY;
  let toUs = Number.NEGATIVE_INFINITY;
  return {
    begin(): void {
      if (fromUs < toUs && before.length < TRACKS_MAX) before.push({ fromUs, toUs });
      fromUs = Number.POSITIVE_INFINITY;
      toUs = Number.NEGATIVE_INFINITY;
    },
    /** Whether another track tells of this time already. */
    addPoint(timeUs: number): boolean {
      fromUs = Math.min(fromUs, timeUs);
      toUs = Math.max(toUs, timeUs);
      return before.some((track) => track.fromUs < timeUs && timeUs < track.toUs);
    },
  };
}

const local = (name: string): string => name.split(':').at(-1) ?? name;

type Point = { lat: number | null; lon: number | null; fields: Map<string, string> };

function toRow({ lat, lon, fields }: Point): SidecarRow | null {
  const timeUs = utcTime(fields.get('time') ?? '');
  if (lat === null || lon === null || timeUs === null) return null;
  const values: SidecarRow['values'] = {};
  setNumber(values, SENSOR_LATITUDE, lat);
  setNumber(values, SENSOR_LONGITUDE, lon);
  setNumber(values, SENSOR_ALTITUDE, numberOf(fields.get('ele')));
  setNumber(values, PLATFORM_GROUND_SPEED, numberOf(fields.get('speed')));
  return { timeUs, values };
}
