import { fixTypeName } from '@osprey/ais/names';
import { type AisExportFormat, type AisTarget, type Classification, mmsiText, timeStamp } from '@osprey/contract';
import { type Cell, csvLine } from '../../base/http/csv.ts';
import { nmea } from './export-nmea.ts';

/**
 * Returns the name of an export: `ais_20261128-154500.csv`. Above UNCLASSIFIED it includes the label, so that a copy
 * shows its label.
 */
export function exportName(format: AisExportFormat, label: Classification, nowUs: number, what = 'ais'): string {
  const mark = label === 'UNCLASSIFIED' ? '' : `_${label.replace(' ', '-')}`;
  return `${what}_${timeStamp(nowUs)}${mark}.${format}`;
}

export const contentTypes: Record<AisExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  geojson: 'application/geo+json; charset=utf-8',
  kml: 'application/vnd.google-earth.kml+xml; charset=utf-8',
  nmea: 'text/plain; charset=us-ascii',
};

const time = (us: number): string => new Date(us / 1000).toISOString();

const heads = [
  'sensor',
  'platform',
  'mmsi',
  'imo',
  'callSign',
  'name',
  'type',
  'countryCode',
  'country',
  'timestamp',
  'lat',
  'lon',
  'cog',
  'hdg',
  'sog',
  'fixType',
  'destination',
  'suspect',
];

/** Decimal places of degrees, corresponding to a tenth of a metre. */
const DIGITS = 6;

const cellsOf = (row: AisTarget): Cell[] => [
  row.sensorName,
  row.platformName,
  mmsiText(row.mmsi),
  row.imo,
  row.callSign,
  row.name,
  row.vesselType,
  row.countryCode,
  row.country,
  time(row.timestamp),
  { value: row.lat, digits: DIGITS },
  { value: row.lon, digits: DIGITS },
  row.cog,
  row.hdg,
  row.sog,
  row.fixType === null ? null : fixTypeName(row.fixType),
  row.destination,
  row.suspect,
];

function* csv(rows: readonly AisTarget[]): Generator<string> {
  yield `\ufeff${csvLine(heads)}`;
  for (const row of rows) yield csvLine(cellsOf(row));
}

function* geojson(rows: readonly AisTarget[], label: Classification): Generator<string> {
  yield `{"type":"FeatureCollection","securityClassification":${JSON.stringify(label)},"features":[`;
  for (const [index, row] of rows.entries()) {
    const { lat, lon, timestamp, ...properties } = row;
    const feature = {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [lon, lat] },
      properties: { ...properties, time: time(timestamp) },
    };
    yield `${index === 0 ? '\n' : ',\n'}${JSON.stringify(feature)}`;
  }
  yield '\n]}\n';
}

/** Escapes a text for XML 1.0. Control characters are removed, since XML cannot contain them at all. */
const xml = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

function* kml(rows: readonly AisTarget[], label: Classification): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>\n`;
  yield `<name>AIS</name><description>${xml(label)}</description>\n`;
  for (const row of rows) {
    const data = Object.entries({
      mmsi: mmsiText(row.mmsi),
      type: row.vesselType,
      cog: row.cog,
      sog: row.sog,
      sensor: row.sensorName,
    })
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `<Data name="${name}"><value>${xml(String(value))}</value></Data>`);
    yield `<Placemark><name>${xml(row.name ?? mmsiText(row.mmsi))}</name><TimeStamp><when>${time(row.timestamp)}</when></TimeStamp>` +
      `<ExtendedData>${data.join('')}</ExtendedData>` +
      `<Point><coordinates>${row.lon.toFixed(DIGITS)},${row.lat.toFixed(DIGITS)}</coordinates></Point></Placemark>\n`;
  }
  yield '</Document></kml>\n';
}

/** Yields the rows in the chosen format, as pieces of a file. */
export function exportText(
  format: AisExportFormat,
  rows: readonly AisTarget[],
  label: Classification,
): Generator<string> {
  if (format === 'geojson') return geojson(rows, label);
  if (format === 'nmea') return nmea(rows);
  return format === 'kml' ? kml(rows, label) : csv(rows);
}
