import type { AnnotationFeature, FeatureGeometry } from '@osprey/contract';

/** Bounding box in degrees; `west` is never greater than `east`. */
export type Box = { west: number; south: number; east: number; north: number };

type Position = readonly number[];

/**
 * Parses `minLon,minLat,maxLon,maxLat`, and widens the box by its own size on each side; null for one that crosses the
 * antimeridian.
 */
export function boxAround(bbox: string): Box | null {
  const [west = 0, south = 0, east = 0, north = 0] = bbox.split(',').map(Number);
  const [wide, high] = [east - west, north - south];
  if (!(wide >= 0 && high >= 0)) return null;
  return { west: west - wide, south: south - high, east: east + wide, north: north + high };
}

/**
 * Removes positions far outside the box: of each part that stays on one side of the box, only the ends are kept.
 * Nothing changes inside the box.
 */
export function clippedTo(feature: AnnotationFeature, box: Box): AnnotationFeature {
  return { ...feature, geometry: clipped(feature.geometry, box) };
}

function clipped(geometry: FeatureGeometry, box: Box): FeatureGeometry {
  const line = (points: number[][]) => withoutFar(points, box, 2);
  const ring = (points: number[][]) => withoutFar(points, box, 4);
  switch (geometry.type) {
    case 'LineString':
      return { ...geometry, coordinates: line(geometry.coordinates) };
    case 'MultiLineString':
      return { ...geometry, coordinates: geometry.coordinates.map(line) };
    case 'Polygon':
      return { ...geometry, coordinates: geometry.coordinates.map(ring) };
    case 'MultiPolygon':
      return { ...geometry, coordinates: geometry.coordinates.map((rings) => rings.map(ring)) };
    default:
      return geometry;
  }
}

/** Bit mask of the sides of the box that a position lies beyond. */
const outside = ([lon = 0, lat = 0]: Position, { west, south, east, north }: Box): number =>
  (lon < west ? 1 : 0) | (lon > east ? 2 : 0) | (lat < south ? 4 : 0) | (lat > north ? 8 : 0);

function withoutFar<Point extends Position>(points: readonly Point[], box: Box, least: number): Point[] {
  const retained: Point[] = [];
  let sides = 0;
  points.forEach((point, index) => {
    const before = points[index - 1];
    // An edge of more than half the globe goes the other way round, so its end is kept.
    const jumps = before !== undefined && Math.abs((point[0] ?? 0) - (before[0] ?? 0)) > 180;
    const own = jumps ? 0 : outside(point, box);
    // A longer side would go around the other way.
    const isShort = Math.abs((point[0] ?? 0) - (retained.at(-2)?.[0] ?? 0)) < 180;
    if (index > 1 && (sides & own) !== 0 && isShort) retained.pop();
    else if (before !== undefined) sides = outside(before, box);
    sides = index === 0 ? own : sides & own;
    retained.push(point);
  });
  return retained.length >= least ? retained : [...points];
}
