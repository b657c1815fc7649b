import { utcTime } from '../utc-time.ts';
import type { SidecarRow } from './row.ts';
import { numberOf } from './text.ts';
import { createTracks } from './tracks.ts';
import { setNumber } from './values.ts';
import { readXml } from './xml.ts';

const SENSOR_LATITUDE = 13;
const SENSOR_LONGITUDE = 14;
const SENSOR_ALTITUDE = 15;

/** Limit of times that wait for their places: all times may come first. */
const WAITING_MAX = 5_000_000;

/**
 * The points of `gx:Track` in a KML file (Google's extension of OGC KML 2.2): its nth `when` belongs to its nth
 * `gx:coord` of longitude, latitude and altitude. Altitudes count if the track says `absolute`, above the sea; else KML
 * ignores them.
 *
 * @throws Error when it is not well-formed, or when there is too much text between two tags
 */
export function readKml(pieces: AsyncIterable<string>): AsyncGenerator<SidecarRow> {
  let rows: SidecarRow[] = [];
  let track: { times: number[]; next: number; isAbsolute: boolean } | null = null;
  const tracks = createTracks();

  function addTime(text: string): void {
    if (track === null) return;
    if (track.times.length === WAITING_MAX) throw new RangeError('A track is too long');
    track.times.push(utcTime(text) ?? Number.NaN);
  }

  function addPlace(text: string): void {
    if (track === null) return;
    const timeUs = track.times[track.next] ?? Number.NaN;
    track.next += 1;
    const [lon = null, lat = null, altitude = null] = text.split(/[\s,]+/).map(numberOf);
    if (Number.isNaN(timeUs) || lon === null || lat === null) return;
    const values: SidecarRow['values'] = {};
    setNumber(values, SENSOR_LATITUDE, lat);
    setNumber(values, SENSOR_LONGITUDE, lon);
    if (track.isAbsolute) setNumber(values, SENSOR_ALTITUDE, altitude);
    rows.push({ timeUs, values, ...(tracks.addPoint(timeUs) && { isCovered: true }) });
  }

  return readXml<SidecarRow>(pieces, {
    open(name) {
      if (name !== 'Track') return;
      tracks.begin();
      track = { times: [], next: 0, isAbsolute: false };
    },
    close(name, text) {
      if (name === 'Track') track = null;
      if (name === 'altitudeMode' && track !== null) track.isAbsolute = text === 'absolute';
      if (name === 'when') addTime(text);
      if (name === 'coord') addPlace(text);
    },
    take() {
      const taken = rows;
      rows = [];
      return taken;
    },
  });
}
