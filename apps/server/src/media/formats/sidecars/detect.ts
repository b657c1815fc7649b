import { csvHeader } from './csv-header.ts';
import { isQgisFmv } from './qgis-fmv.ts';

export type SidecarFormat = 'csv' | 'qgisFmv' | 'srt' | 'gpx' | 'kml' | 'geojson';

/** Maximum length of a header; a longer first line is no telemetry sidecar. */
const HEADER_MAX = 16_384;

/**
 * The root element of an XML file, after a declaration, style sheets and comments; some tools add a namespace prefix.
 */
const ROOT = /^(?:<\?[^<>]*\?>\s*|<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:\w+:)?(gpx|kml)[\s>]/;
/** Beginning of a subtitle file: the number of a cue, and its times or its date. */
const SUBTITLES =
  /^(?:\d+[^\S\r\n]*[\r\n]\s*)?(?:\d{1,3}:\d\d:\d\d[,.]\d{1,3}\s*-->)|^\d+[^\S\r\n]*[\r\n]\s*\d{4}[.-]\d\d?[.-]\d\d? \d\d:\d\d:\d\d/;
const GEOJSON = /^\{[\s\S]*"type"\s*:\s*"(?:FeatureCollection|Feature)"/;

const KML_TRACK = /<(?:\w+:)?Track[\s>]/;
const GEOJSON_TIMES = /"(?:coordTimes|times|timestamps|time|timestamp|timeStamp|datetime|dateTime|date)"\s*:/;

/**
 * Describes which part of telemetry a file lacks, since drawings have the same formats; null if it has everything that
 * its format needs.
 */
export function missingTimes(format: SidecarFormat, text: string): string | null {
  if (format === 'kml' && !KML_TRACK.test(text)) return 'it is KML without a gx:Track, so its places have no times';
  if (format === 'geojson' && !GEOJSON_TIMES.test(text)) return 'it is GeoJSON without times';
  return null;
}

/** Determines the format of a sidecar from its first lines; null for other texts. */
export function sidecarFormat(text: string): SidecarFormat | null {
  const start = text
    .slice(0, HEADER_MAX)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (SUBTITLES.test(start)) return 'srt';
  const root = ROOT.exec(start)?.[1];
  if (root !== undefined) return root as 'gpx' | 'kml';
  if (GEOJSON.test(start)) return 'geojson';
  if (isQgisFmv(start)) return 'qgisFmv';
  return csvHeader(start) === null ? null : 'csv';
}
