import { kmlReader } from '../../../base/formats/kml.ts';
import type { Place } from '../../../base/formats/numbers.ts';
import { readXmlPieces } from '../../../base/formats/xml.ts';
import { utcTime } from '../utc-time.ts';
import { type LostPlaces, placeValues, XML_LIMITS } from './places.ts';
import type { SidecarRow } from './row.ts';
import { createTracks } from './tracks.ts';
import { setNumber } from './values.ts';

const SENSOR_ALTITUDE = 15;

/** Maximum number of times that wait for their positions, since all times may come first. */
const WAITING_MAX = 5_000_000;

/**
 * Reads the points of `gx:Track` in a KML file (Google's extension of OGC KML 2.2): the nth `when` belongs to the nth
 * `gx:coord`, which contains longitude, latitude and altitude. Altitudes are used only if the track says `absolute`,
 * which means above sea level; in other modes KML ignores them.
 *
 * @throws BadFile
 */
export function readKml(pieces: AsyncIterable<string>, lost: LostPlaces): AsyncGenerator<SidecarRow> {
  const rows: SidecarRow[] = [];
  let track = { times: [] as number[], next: 0, isAbsolute: false };
  const tracks = createTracks();

  function addPlace(place: Place | null): void {
    const timeUs = track.times[track.next] ?? Number.NaN;
    track.next += 1;
    if (Number.isNaN(timeUs)) return;
    const values = placeValues(place, lost);
    if (values === null) return;
    if (track.isAbsolute) setNumber(values, SENSOR_ALTITUDE, place?.[2] ?? null);
    rows.push({ timeUs, values, ...(tracks.addPoint(timeUs) && { isCovered: true }) });
  }

  const reader = kmlReader({
    track: {
      begin() {
        tracks.begin();
        track = { times: [], next: 0, isAbsolute: false };
      },
      when(text) {
        if (track.times.length === WAITING_MAX) throw new RangeError('A track is too long');
        track.times.push(utcTime(text) ?? Number.NaN);
      },
      coord: addPlace,
      altitudeMode: (mode) => {
        track.isAbsolute = mode === 'absolute';
      },
      end() {},
    },
  });
  return readXmlPieces<SidecarRow>(pieces, { ...reader, limits: XML_LIMITS, take: () => rows.splice(0) });
}
