import { z } from 'zod';
import { defineCall, id, micros, moment } from './core/call.ts';

/** Most recordings that an answer names; the counts include all. */
export const LOOKBACK_NAMED_MAX = 100;
export const LOOKBACK_SPANS_MAX = 500;

const named = z.object({ missionId: id, mission: z.string(), sensorId: id, sensor: z.string() });
export type LookbackSensor = z.output<typeof named>;

/** Recordings that may have seen the place too, some of them named. */
const unsure = z.object({ count: z.int(), sensors: z.array(named) });

export const lookbackSpan = named.extend({
  /** Whole seconds of the sensor in which it saw the place: from the first to the end of the last. */
  from: micros,
  to: micros,
  /** Time of the first telemetry set whose footprint contains the place. */
  first: micros,
  /** From the platform to the place, metres along the line of sight; null where the telemetry does not say. */
  distanceM: z.number().nullable(),
  /** Metres on the ground for one pixel at that moment; null without pictures. */
  resolutionM: z.number().nullable(),
});
export type LookbackSpan = z.output<typeof lookbackSpan>;

export const lookback = z.object({
  /** The newest first. */
  spans: z.array(lookbackSpan),
  /** Older spans exist. */
  more: z.boolean(),
  /** Recordings whose telemetry is not in the index yet, or could not be read. */
  notIndexed: unsure,
  /** Recordings whose telemetry never says where they looked. */
  withoutPosition: unsure,
  /** Recordings whose times come from a file or its upload; they are in the answer with these times. */
  uncertainClock: unsure,
});
export type Lookback = z.output<typeof lookback>;

export const getLookback = defineCall({
  method: 'GET',
  path: '/coverage/lookback',
  summary:
    'Lists the times when a place was seen, in all recordings that the caller may read. `geometry` is a GeoJSON ' +
    'Point or Polygon without holes, or `minLon,minLat,maxLon,maxLat`; edges are great circles',
  action: 'mission.list',
  input: z.object({
    query: z.object({
      geometry: z.string().max(100_000),
      from: moment.optional(),
      to: moment.optional(),
      limit: z
        .string()
        .regex(/^\d{1,3}$/)
        .transform(Number)
        .pipe(z.int().min(1).max(LOOKBACK_SPANS_MAX))
        .optional(),
    }),
  }),
  answer: lookback,
  errors: ['invalid', 'notSignedIn'],
});
