import { footprintOf } from '@osprey/geo';
import { csvLine } from '../../../base/http/csv.ts';
import {
  cells,
  degrees,
  isGap,
  isoMicros,
  isoMillis,
  moments,
  type Place,
  places,
  stretches,
  type TelemetryHead,
  type TelemetrySource,
  tagsOf,
  tagTitle,
  within,
} from './records.ts';

type Writer = (source: TelemetrySource, head: TelemetryHead) => AsyncGenerator<string>;

const titleOf = ({ label, mission, sensor }: TelemetryHead): string => `${label} ${mission} ${sensor}`;

/**
 * Writes telemetry as CSV: a line with the label, column names with units, and a column for each tag. Sets and packs
 * are JSON.
 */
export async function* csvText(source: TelemetrySource, head: TelemetryHead): AsyncGenerator<string> {
  const tags = await tagsOf(source);
  yield `\ufeff${csvLine([`# ${titleOf(head)}`])}`;
  yield csvLine(['Time (UTC)', 'Time (µs since 1970)', ...tags.map(tagTitle)]);
  for await (const { timeUs, values } of cells(source, tags)) yield csvLine([isoMicros(timeUs), timeUs, ...values]);
}

const coordinates = ({ lon, lat, altitudeM }: Place): number[] =>
  altitudeM === null ? [lon, lat] : [lon, lat, altitudeM];

/** Writes telemetry as GeoJSON (RFC 7946): the track as lines, then each position and each footprint with its time. */
export async function* geoJsonText(source: TelemetrySource, head: TelemetryHead): AsyncGenerator<string> {
  const text = JSON.stringify;
  yield `{"type":"FeatureCollection","label":${text(head.label)},"mission":${text(head.mission)},"sensor":${text(head.sensor)},"features":[`;
  let separator = '\n';
  for (const stretch of await stretches(source)) {
    if (stretch[0] === stretch[1]) continue;
    const [start, end] = stretch.map(isoMicros);
    const properties = { kind: 'track', sensor: head.sensor, time: start, end, label: head.label };
    yield `${separator}{"type":"Feature","properties":${text(properties)},"geometry":{"type":"MultiLineString","coordinates":[`;
    yield* lines(within(source, stretch));
    yield ']}}';
    separator = ',\n';
  }
  for await (const moment of moments(source)) {
    const time = isoMicros(moment.timeUs);
    const place = { type: 'Point', coordinates: coordinates(moment) };
    yield `${separator}${text({ type: 'Feature', properties: { kind: 'place', time }, geometry: place })}`;
    separator = ',\n';
    const footprint = footprintOf(moment.values);
    if (footprint === null) continue;
    const ring = footprint.corners.map(({ lon, lat }) => [lon, lat]);
    const area = { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
    yield `${separator}${text({ type: 'Feature', properties: { kind: 'footprint', time }, geometry: area })}`;
  }
  yield '\n]}\n';
}

/** Lines are split at the antimeridian, since readers would otherwise draw them around the world. */
async function* lines(source: TelemetrySource): AsyncGenerator<string> {
  let before: Place | null = null;
  for await (const place of places(source)) {
    const isBroken = before !== null && Math.abs(place.lon - before.lon) > 180;
    const point = JSON.stringify(coordinates(place));
    yield before === null ? `[${point}` : isBroken ? `],[${point}` : `,${point}`;
    before = place;
  }
  if (before !== null) yield ']';
}

const xml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Minimum interval between footprints, in microseconds. */
const FOOTPRINT_US = 1_000_000;

/**
 * Writes telemetry as OGC KML 2.3: a gx:Track for each part without gaps, and a footprint each second with its time. A
 * track interprets all its heights in the same way, so if one of its positions has no height, the track is drawn on the
 * ground; a height of 0 would be below ground.
 */
export async function* kmlText(source: TelemetrySource, head: TelemetryHead): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield '<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>\n';
  yield `<name>${xml(titleOf(head))}</name>\n<description>Label: ${xml(head.label)}</description>\n`;
  yield '<Style id="footprint"><LineStyle><color>ffddcc22</color></LineStyle><PolyStyle><fill>0</fill></PolyStyle></Style>\n';
  for (const stretch of await stretches(source)) {
    const mode = (await hasHeights(within(source, stretch))) ? 'absolute' : 'clampToGround';
    yield `<Placemark><name>${xml(head.sensor)}</name><gx:Track><altitudeMode>${mode}</altitudeMode>\n`;
    for await (const { timeUs } of places(within(source, stretch))) yield `<when>${isoMillis(timeUs)}</when>\n`;
    for await (const { lon, lat, altitudeM } of places(within(source, stretch))) {
      yield `<gx:coord>${degrees(lon)} ${degrees(lat)} ${altitudeM ?? 0}</gx:coord>\n`;
    }
    yield '</gx:Track></Placemark>\n';
  }
  yield '<Folder><name>Footprints</name>\n';
  let lastUs = Number.NEGATIVE_INFINITY;
  for await (const { timeUs, values } of moments(source)) {
    const footprint = timeUs - lastUs >= FOOTPRINT_US ? footprintOf(values) : null;
    if (footprint === null) continue;
    lastUs = timeUs;
    const ring = [...footprint.corners, footprint.corners[0]].map(({ lon, lat }) => `${degrees(lon)},${degrees(lat)}`);
    yield `<Placemark><TimeStamp><when>${isoMillis(timeUs)}</when></TimeStamp><styleUrl>#footprint</styleUrl>`;
    yield `<Polygon><outerBoundaryIs><LinearRing><coordinates>${ring.join(' ')}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>\n`;
  }
  yield '</Folder></Document></kml>\n';
}

async function hasHeights(source: TelemetrySource): Promise<boolean> {
  for await (const { altitudeM } of places(source)) if (altitudeM === null) return false;
  return true;
}

/** Writes telemetry as GPX 1.1: a track with a segment for each part without gaps. */
export async function* gpxText(source: TelemetrySource, head: TelemetryHead): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield '<gpx version="1.1" creator="Osprey" xmlns="http://www.topografix.com/GPX/1/1">\n';
  yield `<metadata><name>${xml(titleOf(head))}</name><desc>Label: ${xml(head.label)}</desc></metadata>\n`;
  yield `<trk><name>${xml(head.sensor)}</name>\n`;
  for (const stretch of await stretches(source)) {
    yield '<trkseg>\n';
    for await (const { timeUs, lat, lon, altitudeM } of places(within(source, stretch))) {
      const ele = altitudeM === null ? '' : `<ele>${altitudeM}</ele>`;
      yield `<trkpt lat="${degrees(lat)}" lon="${degrees(lon)}">${ele}<time>${isoMillis(timeUs)}</time></trkpt>\n`;
    }
    yield '</trkseg>\n';
  }
  yield '</trk></gpx>\n';
}

/** Duration of the last subtitle, in microseconds. */
const LAST_CUE_US = 1_000_000;

export type SubtitleTimes = {
  /** Time of the clip's first picture. */
  zeroUs: number;
  /** Duration of a picture. A shorter subtitle might not be shown with any picture. */
  pictureUs: number;
};

/**
 * Writes subtitles with time and position of each record. Their times count from the first picture of the clip of the
 * same span.
 */
export async function* srtText(
  source: TelemetrySource,
  head: TelemetryHead,
  { zeroUs, pictureUs }: SubtitleTimes,
): AsyncGenerator<string> {
  let number = 0;
  let before: Place | null = null;
  for await (const place of places(source)) {
    if (before !== null) yield cue(before, place.timeUs);
    before = place;
  }
  if (before !== null) yield cue(before, before.timeUs + LAST_CUE_US);

  function cue(place: Place, nextUs: number): string {
    number += 1;
    const isAlone = isGap(source, place.timeUs, nextUs);
    const endUs = isAlone ? place.timeUs + LAST_CUE_US : Math.min(nextUs, place.timeUs + LAST_CUE_US);
    const startMs = milliseconds(place.timeUs - zeroUs);
    const endMs = Math.max(milliseconds(endUs - zeroUs), startMs + Math.max(1, Math.floor(pictureUs / 1000)));
    const altitude = place.altitudeM === null ? '' : ` [altitude: ${place.altitudeM}]`;
    const where = `[latitude: ${degrees(place.lat)}] [longitude: ${degrees(place.lon)}]${altitude}`;
    const header = number === 1 ? `${titleOf(head)}\n` : '';
    return `${number}\n${cueTime(startMs)} --> ${cueTime(endMs)}\n${header}${isoMillis(place.timeUs)}\n${where}\n\n`;
  }
}

const milliseconds = (us: number): number => Math.max(0, Math.round(us / 1000));

function cueTime(ms: number): string {
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes, seconds] = [
    Math.floor(ms / 3_600_000),
    Math.floor(ms / 60_000) % 60,
    Math.floor(ms / 1000) % 60,
  ];
  return `${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(seconds)},${String(ms % 1000).padStart(3, '0')}`;
}

export const writers: Record<'csv' | 'geojson' | 'kml' | 'gpx', Writer> = {
  csv: csvText,
  geojson: geoJsonText,
  kml: kmlText,
  gpx: gpxText,
};
