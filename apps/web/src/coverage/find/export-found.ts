import { FIND_SPANS_MAX, type FoundSpan, findByPlace, NO_PLATFORM_NAME } from '@osprey/contract';
import type { Api } from '../../api/api.ts';
import { isoOf } from '../../ui/filter/query-filter.ts';
import type { Question } from './find-link.ts';

export type ExportFormat = 'csv' | 'geojson' | 'kml';

/** Maximum number of spans in one file. */
const SPANS_MAX = 10_000;

const types = {
  csv: 'text/csv',
  geojson: 'application/geo+json',
  kml: 'application/vnd.google-earth.kml+xml',
} as const satisfies Record<ExportFormat, string>;

type Asked = { question: Question; format: ExportFormat };

/**
 * Saves the list as a file, with at most the newest 10,000 spans.
 *
 * @param onCollected called with the number of spans read so far
 */
export async function exportFound(api: Api, { question, format }: Asked, onCollected: (count: number) => void) {
  const spans: FoundSpan[] = [];
  let after: string | null = null;
  do {
    const { shape, filter } = question;
    const page: Awaited<ReturnType<typeof read>> = await read(api, { shape: shape!, filter, after });
    spans.push(...page.spans);
    onCollected(spans.length);
    after = page.next;
  } while (after !== null && spans.length < SPANS_MAX);
  const listed = spans.slice(0, SPANS_MAX);
  saveSpans(listed, format);
  return { count: listed.length, isMost: after !== null || spans.length > SPANS_MAX };
}

/** Saves these spans as a file, in the given order. */
export function saveSpans(spans: readonly FoundSpan[], format: ExportFormat): void {
  const href = URL.createObjectURL(new Blob([textOf(spans, format)], { type: types[format] }));
  const link = document.createElement('a');
  link.href = href;
  link.download = `found_${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), 0);
}

type Page = { shape: NonNullable<Question['shape']>; filter: Question['filter']; after: string | null };

const read = (api: Api, { shape, filter, after }: Page) =>
  api.call(findByPlace, { body: { shape, filter, limit: FIND_SPANS_MAX, ...(after !== null && { after }) } });

export function textOf(spans: readonly FoundSpan[], format: ExportFormat): string {
  if (format === 'csv') return csvOf(spans);
  return format === 'geojson' ? geoJsonOf(spans) : kmlOf(spans);
}

const factsOf = (span: FoundSpan) => ({
  from: isoOf(span.from),
  to: isoOf(span.to),
  seconds: (span.to - span.from) / 1e6,
  mission: span.mission,
  sensor: span.sensor,
  platform: span.platform === NO_PLATFORM_NAME ? '' : span.platform,
  label: span.securityClassification,
  distanceM: rounded(span.distanceM, 0),
  resolutionM: rounded(span.resolutionM, 3),
  lookDeg: rounded(span.lookDeg, 0),
  missionId: span.missionId,
  sensorId: span.sensorId,
  approximate: span.approximate === true ? 'yes' : 'no',
});

const rounded = (value: number | null, decimals: number): number | null =>
  value === null ? null : Number(value.toFixed(decimals));

function csvOf(spans: readonly FoundSpan[]): string {
  const rows = spans.map(factsOf);
  const names = [
    'from',
    'to',
    'seconds',
    'mission',
    'sensor',
    'platform',
    'label',
    'distanceM',
    'resolutionM',
    'lookDeg',
    'missionId',
    'sensorId',
    'approximate',
  ] as const;
  return [names.join(','), ...rows.map((row) => names.map((name) => cell(row[name])).join(','))]
    .join('\r\n')
    .concat('\r\n');
}

/** Formats a cell of a CSV file: quoted if necessary, and protected from being taken for a formula by a spreadsheet. */
function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const ringOf = ({ corners }: FoundSpan) => [...corners, corners[0]!];

/** Returns the ground area of each span at its first moment, as GeoJSON. */
function geoJsonOf(spans: readonly FoundSpan[]): string {
  const features = spans.map((span) => ({
    type: 'Feature',
    properties: factsOf(span),
    geometry: { type: 'Polygon', coordinates: [ringOf(span)] },
  }));
  return JSON.stringify({ type: 'FeatureCollection', features });
}

function kmlOf(spans: readonly FoundSpan[]): string {
  const placemarks = spans.map((span) => {
    const { from, to, ...facts } = factsOf(span);
    const data = Object.entries(facts).map(
      ([name, value]) => `<Data name="${name}"><value>${escaped(String(value ?? ''))}</value></Data>`,
    );
    const ring = ringOf(span).map(([lon, lat]) => `${lon},${lat}`);
    return (
      `<Placemark><name>${escaped(`${span.mission}, ${span.sensor}`)}</name>` +
      `<TimeSpan><begin>${from}</begin><end>${to}</end></TimeSpan>` +
      `<ExtendedData>${data.join('')}</ExtendedData>` +
      `<Polygon><outerBoundaryIs><LinearRing><coordinates>${ring.join(' ')}</coordinates></LinearRing></outerBoundaryIs></Polygon>` +
      '</Placemark>'
    );
  });
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>' +
    `${placemarks.join('\n')}</Document></kml>\n`
  );
}

const escaped = (text: string): string =>
  text
    // Replaces characters that XML 1.0 does not allow.
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
