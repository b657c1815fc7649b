import { AppError, QUERY_VERTICES_MAX } from '@osprey/contract';
import { type Position, ringsAsDrawn, splitAtAntimeridian, withNarrowEdges } from '@osprey/geo';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';

/** Part of the requested area in PostgreSQL's polygon syntax. Parts never cross the antimeridian. */
export type QueryArea = { outline: string; holes: string[] };

const position = z.tuple([z.number().min(-540).max(540), z.number().min(-90).max(90)]).rest(z.number());
const ring = z.array(position).min(4);
const polygon = z.object({ type: z.literal('Polygon'), coordinates: z.array(ring).min(1) });
const multiPolygon = z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(ring).min(1)).min(1) });
const geometry = z.union([polygon, multiPolygon]);
const drawn = z.union([geometry, z.object({ type: z.literal('Feature'), geometry })]);

/**
 * Reads the `geometry` of a query: a GeoJSON polygon as JSON text, with edges that are straight in longitude and
 * latitude, or `minLon,minLat,maxLon,maxLat`, where a minLon above maxLon means a box across the antimeridian.
 *
 * @throws AppError invalid, also for more vertices than a query may have
 */
export function queryAreas(text: string): QueryArea[] {
  const polygons = /^[\s\d.,+eE-]+$/.test(text) ? [[withNarrowEdges(boxRing(text)) as Position[]]] : polygonsOf(text);
  const vertices = polygons.flat().reduce((sum, points) => sum + points.length, 0);
  if (vertices > QUERY_VERTICES_MAX) throw refused(`More than ${QUERY_VERTICES_MAX} vertices`);
  return polygons.flatMap(([outer, ...inner]) => {
    const holes = inner.flatMap(splitAtAntimeridian).map(polygonText);
    return splitAtAntimeridian(outer ?? []).map((part) => ({ outline: polygonText(part), holes }));
  });
}

/** Formats points as a PostgreSQL polygon: no closing point, x before y. */
export function polygonText(points: readonly Position[]): string {
  const first = points[0];
  const last = points[points.length - 1];
  const closed = points.length > 1 && first && last && first[0] === last[0] && first[1] === last[1];
  return `(${(closed ? points.slice(0, -1) : points).map(([lon, lat]) => `(${lon},${lat})`).join(',')})`;
}

/**
 * Condition that a shape touches any of the areas. PostgreSQL's `&&` compares polygons exactly, although its index
 * contains only their bounding boxes.
 */
export const touches = (areas: readonly QueryArea[], shape: RawBuilder<unknown>): RawBuilder<boolean> =>
  anyOf(areas.map((area) => isTouched(area, shape)));

/**
 * Condition that a line touches any of the areas. Lines are stored as polygons, which have an interior and a closing
 * edge; so either an edge of the line must cross an area, or its first point must be inside one.
 */
export function touchesLine(areas: readonly QueryArea[], line: RawBuilder<unknown>): RawBuilder<boolean> {
  const first = sql`ltrim(split_part(rtrim(${line}::text, ')'), '),(', 1), '(')::point`;
  const isCrossed = ({ outline }: QueryArea) =>
    sql`(popen(path(${line})) ?# path(${outline}::polygon) or ${outline}::polygon @> ${first})`;
  return anyOf(areas.map((area) => sql`(${isTouched(area, line)} and ${isCrossed(area)})`));
}

function isTouched({ outline, holes }: QueryArea, shape: RawBuilder<unknown>): RawBuilder<boolean> {
  const outside = holes.map((hole) => sql` and not (${hole}::polygon @> ${shape})`);
  return sql`(${shape} && ${outline}::polygon${sql.join(outside, sql``)})`;
}

const anyOf = (each: readonly RawBuilder<unknown>[]): RawBuilder<boolean> =>
  each.length === 0 ? sql`false` : sql`(${sql.join(each, sql` or `)})`;

function polygonsOf(text: string): Position[][][] {
  const parsed = drawn.safeParse(json(text));
  if (!parsed.success) throw refused('Not a GeoJSON Polygon or MultiPolygon, nor minLon,minLat,maxLon,maxLat');
  const shape = 'geometry' in parsed.data ? parsed.data.geometry : parsed.data;
  const polygons = shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates;
  const flat = (points: readonly number[][]) => points.map(([lon = 0, lat = 0]): Position => [lon, lat]);
  return polygons.map((rings) => ringsAsDrawn(rings.map(flat)) as Position[][]);
}

function boxRing(text: string): Position[] {
  const [west, south, east, north, ...rest] = text.split(',').map(Number);
  const edges = z.tuple([z.number(), z.number(), z.number(), z.number()]).safeParse([west, south, east, north]);
  if (!edges.success || rest.length > 0) throw refused('A box is minLon,minLat,maxLon,maxLat');
  const [minLon, minLat, maxLon, maxLat] = edges.data;
  const isOnEarth = Math.abs(minLon) <= 180 && Math.abs(maxLon) <= 180 && minLat >= -90 && maxLat <= 90;
  if (!isOnEarth || minLat > maxLat) throw refused('The box is not on the earth');
  const eastLon = maxLon < minLon ? maxLon + 360 : maxLon;
  const corners: Position[] = [
    [minLon, minLat],
    [eastLon, minLat],
    [eastLon, maxLat],
    [minLon, maxLat],
  ];
  return [...corners, corners[0]!];
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const refused = (reason: string) => new AppError('invalid', { 'query.geometry': reason });
