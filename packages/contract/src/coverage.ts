import { z } from 'zod';
import { defineCall, id, micros, moment } from './core/call.ts';

/** Maximum number of recordings listed in an answer; the counts include all of them. */
export const LOOKBACK_NAMED_MAX = 100;
export const LOOKBACK_SPANS_MAX = 500;

const named = z.object({ missionId: id, mission: z.string(), sensorId: id, sensor: z.string() });
export type LookbackSensor = z.output<typeof named>;

/** Recordings that may also have seen the place: their number, and some of them with names. */
const unsure = z.object({ count: z.int(), sensors: z.array(named) });

export const lookbackSpan = named.extend({
  /** Time in which the sensor saw the place, in whole seconds: from the start of the first to the end of the last. */
  from: micros,
  to: micros,
  /** Time of the first telemetry set whose footprint contains the place. */
  first: micros,
  /**
   * Distance from the platform to the place along the line of sight, in metres; null if the telemetry does not contain
   * it.
   */
  distanceM: z.number().nullable(),
  /** Size of one pixel on the ground at that moment, in metres; null without pictures, 0 if it is not known. */
  resolutionM: z.number().nullable(),
  /**
   * Present if the telemetry gives neither corners nor the attitude at `first`: the ground is a square around the frame
   * centre, or the frame centre itself.
   */
  approximate: z.literal(true).optional(),
});
export type LookbackSpan = z.output<typeof lookbackSpan>;

export const lookback = z.object({
  /** Spans, newest first. */
  spans: z.array(lookbackSpan),
  /** Whether older spans exist. */
  more: z.boolean(),
  /** Recordings whose telemetry is not indexed yet, or could not be read. */
  notIndexed: unsure,
  /** Recordings whose telemetry contains no information on where the sensor looked. */
  withoutPosition: unsure,
  /**
   * Recordings whose times are only derived from a file or its upload. They are included in the answer with these
   * times.
   */
  uncertainClock: unsure,
});
export type Lookback = z.output<typeof lookback>;

export const getLookback = defineCall({
  method: 'GET',
  path: '/coverage/lookback',
  summary:
    'Lists the times when a place was seen, in all recordings that the caller may read. `geometry` is a GeoJSON ' +
    'Point or Polygon without holes, or `minLon,minLat,maxLon,maxLat`; edges are straight in longitude and latitude',
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
