import { AppError, QUERY_VERTICES_MAX } from '@osprey/contract';
import { type Position, straightParts, type Target, targetOf, withNarrowEdges } from '@osprey/geo';
import { z } from 'zod';

const position = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]);
const shape = z.union([
  z.strictObject({ type: z.literal('Point'), coordinates: position }),
  z.strictObject({ type: z.literal('Polygon'), coordinates: z.tuple([z.array(position).min(4)]) }),
]);

/**
 * Reads a GeoJSON Point, a Polygon without holes, or `minLon,minLat,maxLon,maxLat`, where a minLon above maxLon means a
 * box across the antimeridian.
 *
 * @throws AppError invalid
 */
export function askedShape(text: string): Target {
  const ring = /^[\s\d.,+eE-]+$/.test(text) ? boxOf(text) : ringOf(text);
  if (ring.length > QUERY_VERTICES_MAX + 1) throw refused(`More than ${QUERY_VERTICES_MAX} vertices`);
  if (ring.length === 1) return targetOf([{ kind: 'line', positions: ring }]);
  try {
    return targetOf(straightParts([{ kind: 'area', rings: [ring] }]));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refused('The area is larger than half the earth');
  }
}

/** A closed ring, or one position. */
function ringOf(text: string): Position[] {
  const found = shape.safeParse(parsed(text));
  if (!found.success) throw refused('Not a GeoJSON Point or Polygon without holes');
  if (found.data.type === 'Point') return [found.data.coordinates];
  const [ring] = found.data.coordinates;
  const [first, last] = [ring[0]!, ring[ring.length - 1]!];
  return first[0] === last[0] && first[1] === last[1] ? ring : [...ring, first];
}

function boxOf(text: string): Position[] {
  const [west, south, east, north, ...rest] = text.split(',').map(Number);
  const corners = z.array(position).safeParse([
    [west, south],
    [east, north],
  ]);
  if (!corners.success || rest.length > 0 || south! > north!) throw refused('Not a box');
  const [[from, low], [to, high]] = corners.data as [Position, Position];
  const end = to < from ? to + 360 : to;
  return withNarrowEdges([
    [from, low],
    [end, low],
    [end, high],
    [from, high],
    [from, low],
  ]) as Position[];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const refused = (reason: string) => new AppError('invalid', { field: 'geometry', reason });
