import { z } from 'zod';
import { GEOMETRY_VERTICES_MAX } from './limits.ts';

const position = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]).rest(z.number());
const line = z.array(position).min(2);
const ring = z.array(position).min(4);

/** GeoJSON geometry (RFC 7946) in WGS 84 degrees, `lon` before `lat`; drawn by a user or taken from a file. */
export const geometry = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('Point'), coordinates: position }),
    z.object({ type: z.literal('MultiPoint'), coordinates: z.array(position).min(1) }),
    z.object({ type: z.literal('LineString'), coordinates: line }),
    z.object({ type: z.literal('MultiLineString'), coordinates: z.array(line).min(1) }),
    z.object({ type: z.literal('Polygon'), coordinates: z.array(ring).min(1) }),
    z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(ring).min(1)).min(1) }),
  ])
  .refine(({ coordinates }) => coordinates.flat(4).length <= GEOMETRY_VERTICES_MAX * 2, {
    message: `More than ${GEOMETRY_VERTICES_MAX} vertices`,
  });
export type Geometry = z.output<typeof geometry>;
