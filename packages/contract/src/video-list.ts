import { z } from 'zod';
import { aoiModes } from './core/aoi-modes.ts';
import { defineCall, micros } from './core/call.ts';
import { QUERY_VERTICES_MAX } from './core/limits.ts';
import { sensorParams, sensorReadErrors } from './sensors.ts';

const corner = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]);
/** A point, or a polygon without holes. */
const askedGeometry = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('Point'), coordinates: corner }),
  z.strictObject({
    type: z.literal('Polygon'),
    coordinates: z.tuple([
      z
        .array(corner)
        .min(4)
        .max(QUERY_VERTICES_MAX)
        .refine((ring) => ring[0]?.join() === ring.at(-1)?.join(), 'The ring is not closed'),
    ]),
  }),
]);

/** A geometry, or a GeoJSON feature that contains one. */
const asked = z.union([
  askedGeometry,
  z
    .object({ type: z.literal('Feature'), geometry: askedGeometry, properties: z.unknown().optional() })
    .transform(({ geometry }) => geometry),
]);

const VIDEO_BINS_MAX = 240;
/**
 * Returns the length of the bins in the answer of `getVideoList` for the requested time span, in microseconds; always
 * whole seconds.
 */
export const videoBinUs = ({ start, end }: { start: number; end: number }): number =>
  Math.max(1, Math.ceil((end - start) / 1e6 / VIDEO_BINS_MAX)) * 1e6;

export const videoList = z.array(
  z.object({
    start: micros,
    /** Share of the seconds in the bin in which the sensor saw the shape; above 0 and at most 1. */
    avg: z.number(),
  }),
);
export type VideoList = z.output<typeof videoList>;

export const getVideoList = defineCall({
  method: 'POST',
  path: '/sensors/videolist/:mission/:sensor',
  summary:
    'Lists the times when a sensor saw a shape, from `start` to `end`, or of the whole mission. Returns bins of at most a 240th of this ' +
    'time, in whole seconds from `start` on, without those in which the sensor never saw it; edges are straight in ' +
    'longitude and latitude',
  action: 'mission.read',
  input: z.object({
    params: sensorParams,
    body: z
      .strictObject({
        geometry: asked,
        aoiMode: z.enum(aoiModes),
        /** Defaults to the time span of the mission. */
        start: micros.nullable().optional(),
        end: micros.nullable().optional(),
      })
      .refine(({ start, end }) => (start ?? null) === null || (end ?? null) === null || start! < end!, {
        message: 'The end is not after the start',
      }),
  }),
  answer: videoList,
  errors: ['invalid', ...sensorReadErrors],
});
