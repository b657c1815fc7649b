import { z } from 'zod';
import { clipMark } from './clips.ts';
import { defineCall, idOrName } from './core/call.ts';

/** `kmz`: the KML in a zip file; `srt`: subtitles for the clip of the same span. */
export const telemetryFormats = ['csv', 'geojson', 'kml', 'kmz', 'gpx', 'srt'] as const;
export type TelemetryFormat = (typeof telemetryFormats)[number];

export const exportTelemetry = defineCall({
  method: 'GET',
  path: '/sensors/exportTelemetry/:mission/:sensor',
  summary:
    'Exports telemetry of a sensor as a file, from markIn to markOut (seconds from the mission start, or ISO ' +
    '8601) or all of it: every tag as CSV, track and footprints with their times as GeoJSON, KML or KMZ, the ' +
    'track as GPX 1.1, places as SRT',
  action: 'clip.export',
  raw: 'media',
  input: z.object({
    params: z.object({ mission: idOrName, sensor: idOrName }),
    query: z.object({ format: z.enum(telemetryFormats), markIn: clipMark.optional(), markOut: clipMark.optional() }),
  }),
  answer: z.unknown(),
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'ruleRefused', 'tooManyRequests', 'indexDamaged'],
});
