import type { AnnotationFeature, FeatureProperties } from '@osprey/contract';
import { bearingDeg, destination, distanceM, type Point, wrapLon } from '@osprey/geo';

/** Longitude and latitude in degrees; longitudes may exceed ±180. */
export type Place = number[];

/** Number of vertices of a full circle, and of the arc of a sector. */
const CIRCLE_VERTICES = 64;

export const pointOf = ([lon = 0, lat = 0]: Place): Point => ({ lon: wrapLon(lon), lat });

/**
 * Returns the position of a point, with its longitude shifted by full turns so that it is nearest to another position.
 */
export function placeNear({ lon, lat }: Point, [near = 0]: Place): Place {
  return [lon + 360 * Math.round((near - lon) / 360), lat];
}

export const lengthM = (from: Place, to: Place): number => distanceM(pointOf(from), pointOf(to));
export const bearing = (from: Place, to: Place): number => bearingDeg(pointOf(from), pointOf(to));
export const placeAt = (from: Place, bearing: number, metres: number): Place =>
  placeNear(destination(pointOf(from), bearing, metres), from);

function arc(centre: Place, radius: number, from: number, to: number, count: number): Place[] {
  return Array.from({ length: count }, (_, at) => placeAt(centre, from + ((to - from) * at) / (count - 1), radius));
}

/** Returns a closed ring of 64 different vertices. */
function ringAround(centre: Place, radius: number): Place[] {
  const ring = Array.from({ length: CIRCLE_VERTICES }, (_, at) =>
    placeAt(centre, (360 * at) / CIRCLE_VERTICES, radius),
  );
  return [...ring, ring[0]!];
}

export function circle(centre: Place, radius: number, properties: FeatureProperties = {}): AnnotationFeature {
  return {
    type: 'Feature',
    properties: { ...properties, shape: 'circle', centre, radius },
    geometry: { type: 'Polygon', coordinates: [ringAround(centre, radius)] },
  };
}

export function rings(
  centre: Place,
  radius: number,
  { ringCount = 3, ...properties }: FeatureProperties = {},
): AnnotationFeature {
  const coordinates = Array.from({ length: ringCount }, (_, at) => ringAround(centre, (radius * (at + 1)) / ringCount));
  return {
    type: 'Feature',
    properties: { ...properties, shape: 'rings', centre, radius, ringCount },
    geometry: { type: 'MultiLineString', coordinates },
  };
}

/** Returns a sector that goes clockwise from one bearing to the other; equal bearings give a full circle. */
export function sector(
  centre: Place,
  radius: number,
  { bearingFrom = 0, bearingTo = 90, ...properties }: FeatureProperties = {},
): AnnotationFeature {
  const turn = (bearingTo - bearingFrom + 360) % 360 || 360;
  const points = arc(centre, radius, bearingFrom, bearingFrom + turn, CIRCLE_VERTICES - 1);
  return {
    type: 'Feature',
    properties: { ...properties, shape: 'sector', centre, radius, bearingFrom, bearingTo },
    geometry: { type: 'Polygon', coordinates: [[centre, ...points, centre]] },
  };
}

export function rectangle([west = 0, south = 0]: Place, [east = 0, north = 0]: Place): Place[][] {
  return [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ];
}

/** Rebuilds a figure that has a centre and a radius with changed properties; null for any other feature. */
export function remade(feature: AnnotationFeature, change: FeatureProperties = {}): AnnotationFeature | null {
  const properties = { ...feature.properties, ...change };
  const { shape, centre, radius } = properties;
  if (centre === undefined || radius === undefined) return null;
  if (shape === 'circle') return circle(centre, radius, properties);
  if (shape === 'rings') return rings(centre, radius, properties);
  return shape === 'sector' ? sector(centre, radius, properties) : null;
}
