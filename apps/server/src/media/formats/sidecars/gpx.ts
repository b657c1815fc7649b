import { type GpxPoint, gpxReader } from '../../../base/formats/gpx.ts';
import { numberOf } from '../../../base/formats/numbers.ts';
import { readXmlPieces } from '../../../base/formats/xml.ts';
import { utcTime } from '../utc-time.ts';
import { type LostPlaces, placeValues, XML_LIMITS } from './places.ts';
import type { SidecarRow } from './row.ts';
import { createTracks } from './tracks.ts';
import { setNumber } from './values.ts';

const SENSOR_ALTITUDE = 15;
const PLATFORM_GROUND_SPEED = 56;

/**
 * Reads the track points of a GPX 1.0 or 1.1 file that have a time. If tracks have the same times, the first one is
 * used.
 *
 * @throws BadFile
 */
export function readGpx(pieces: AsyncIterable<string>, lost: LostPlaces): AsyncGenerator<SidecarRow> {
  const rows: SidecarRow[] = [];
  const tracks = createTracks();
  const reader = gpxReader({
    begin: (part) => part === 'trk' && tracks.begin(),
    point(point) {
      const row = point.kind === 'trkpt' ? toRow(point, lost) : null;
      if (row !== null) rows.push(tracks.addPoint(row.timeUs) ? { ...row, isCovered: true } : row);
    },
  });
  return readXmlPieces<SidecarRow>(pieces, { ...reader, limits: XML_LIMITS, take: () => rows.splice(0) });
}

function toRow({ place, fields }: GpxPoint, lost: LostPlaces): SidecarRow | null {
  const timeUs = utcTime(fields.get('time') ?? '');
  const values = timeUs === null ? null : placeValues(place, lost);
  if (timeUs === null || values === null) return null;
  setNumber(values, SENSOR_ALTITUDE, place?.[2] ?? null);
  setNumber(values, PLATFORM_GROUND_SPEED, numberOf(fields.get('speed')));
  return { timeUs, values };
}
