import { utcTime } from '../utc-time.ts';
import type { SidecarRow } from './row.ts';
import { numberOf } from './text.ts';
import { createTracks } from './tracks.ts';
import { setNumber } from './values.ts';
import { readXml } from './xml.ts';

const SENSOR_LATITUDE = 13;
const SENSOR_LONGITUDE = 14;
const SENSOR_ALTITUDE = 15;
const PLATFORM_GROUND_SPEED = 56;

/**
 * Track points of a GPX 1.0 or 1.1 file that have a time. If tracks have the same times, those of the first count.
 *
 * @throws Error when it is not well-formed, or when there is too much text between two tags
 */
export function readGpx(pieces: AsyncIterable<string>): AsyncGenerator<SidecarRow> {
  let rows: SidecarRow[] = [];
  let point: Point | null = null;
  const tracks = createTracks();
  return readXml<SidecarRow>(pieces, {
    open(name, { lat, lon }) {
      if (name === 'trk') tracks.begin();
      if (name === 'trkpt') point = { lat: numberOf(String(lat)), lon: numberOf(String(lon)), fields: new Map() };
    },
    close(name, text) {
      if (point === null) return;
      if (name !== 'trkpt') return void point.fields.set(name, text);
      const row = toRow(point);
      if (row !== null) rows.push(tracks.addPoint(row.timeUs) ? { ...row, isCovered: true } : row);
      point = null;
    },
    take() {
      const taken = rows;
      rows = [];
      return taken;
    },
  });
}

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
