import { AppError, QUERY_VERTICES_MAX } from '@osprey/contract';
import { type Position, type Shape, shapeOf } from '@osprey/geo';
import { z } from 'zod';

const position = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]);
const shape = z.union([
  z.strictObject({ type: z.literal('Point'), coordinates: position }),
  z.strictObject({ type: z.literal('Polygon'), coordinates: z.tuple([z.array(position).min(4)]) }),
]);

/** The requested shape: its corners, not closed, and the form compared with footprints. A single corner is a point. */
export type AskedShape = { ring: Position[]; shape: Shape; middle: Position };

/**
 * Reads a GeoJSON Point, a Polygon without holes, or `minLon,minLat,maxLon,maxLat`, where a minLon above maxLon means a
 * box across the antimeridian.
 *
 * @throws AppError invalid
 */
export function askedShape(text: string): AskedShape {
  const ring = /^[\s\d.,+eE-]+$/.test(text) ? boxOf(text) : ringOf(text);
  if (ring.length > QUERY_VERTICES_MAX) throw refused(`More than ${QUERY_VERTICES_MAX} vertices`);
  try {
    const made = shapeOf(ring);
    const [x, y, z] = made.middle;
    const middle: Position = [degrees(Math.atan2(y, x)), degrees(Math.atan2(z, Math.hypot(x, y)))];
    return { ring, shape: made, middle };
  } catch {
    throw refused('The area is larger than half the earth');
  }
}

function ringOf(text: string): Position[] {
  const found = shape.safeParse(parsed(text));
  if (!found.success) throw refused('Not a GeoJSON Point or Polygon without holes');
  if (found.data.type === 'Point') return [found.data.coordinates];
  const [ring] = found.data.coordinates;
  const [first, last] = [ring[0]!, ring[ring.length - 1]!];
  return first[0] === last[0] && first[1] === last[1] ? ring.slice(0, -1) : ring;
}

function boxOf(text: string): Position[] {
  const [west, south, east, north, ...rest] = text.split(',').map(Number);
  const corners = z.array(position).safeParse([
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ]);
  if (!corners.success || rest.length > 0 || south! > north!) throw refused('Not a box');
  // Edges of a wider box would run around the other side of the earth.
  if ((east! - west! + 360) % 360 >= 180) throw refused('The box is as wide as half the earth');
  return corners.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const degrees = (radians: number): number => (radians * 180) / Math.PI;
const refused = (reason: string) => new AppError('invalid', { field: 'geometry', reason });
