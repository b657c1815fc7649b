import { SaxesParser } from 'saxes';
import { setNumber } from './csv.ts';
import type { SidecarRow } from './row.ts';
import { numberOf } from './text.ts';

const SENSOR_LATITUDE = 13;
const SENSOR_LONGITUDE = 14;
const SENSOR_ALTITUDE = 15;
const PLATFORM_GROUND_SPEED = 56;

const DEPTH_MAX = 16;
const TEXT_MAX = 64;
/** The parser keeps a text, a tag or a comment until it ends: one that is longer ends the reading instead. */
const WHOLE_MAX = 1024 * 1024;

/**
 * Track points of a GPX 1.0 or 1.1 file that have a time. A document type, and with it every entity but those of XML
 * itself, ends the reading.
 *
 * @throws Error when it is not well-formed, or when too much stands between two tags
 */
export async function* readGpx(pieces: AsyncIterable<string>): AsyncGenerator<SidecarRow> {
  const parser = new SaxesParser({ position: false });
  let rows: SidecarRow[] = [];
  let point: { lat: number | null; lon: number | null; fields: Map<string, string> } | null = null;
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
      if (row !== null) rows.push(row);
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

const local = (name: string): string => name.split(':').at(-1) ?? name;

type Point = { lat: number | null; lon: number | null; fields: Map<string, string> };

function toRow({ lat, lon, fields }: Point): SidecarRow | null {
  const timeMs = zonedTime(fields.get('time') ?? '');
  if (lat === null || lon === null || timeMs === null) return null;
  const values: SidecarRow['values'] = {};
  setNumber(values, SENSOR_LATITUDE, lat);
  setNumber(values, SENSOR_LONGITUDE, lon);
  setNumber(values, SENSOR_ALTITUDE, numberOf(fields.get('ele')));
  setNumber(values, PLATFORM_GROUND_SPEED, numberOf(fields.get('speed')));
  return { timeUs: timeMs * 1000, values };
}

/** GPX times are UTC, also where a writer left out the zone. */
function zonedTime(text: string): number | null {
  const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
  return Number.isFinite(ms) ? ms : null;
}
