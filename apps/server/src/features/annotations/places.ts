import type { AnnotationFeature, FeatureGeometry } from '@osprey/contract';
import { type Position, splitLineAtAntimeridian } from '@osprey/geo';
import { polygonText } from '../../base/db/query-geometry.ts';
import { shapesOf } from '../../base/db/shapes.ts';
import { simplifiedFeatures, verticesIn } from './levels.ts';

/**
 * Maximum number of positions for exact search shapes. PostgreSQL compares polygons edge by edge, so longer lines and
 * outlines are represented by boxes along them.
 */
const EXACT = 64;
/** Maximum number of boxes along one line or ring. */
const BOXES = 64;
const BOX_VERTICES_MIN = 8;
/**
 * Zoom at which the outline of a large area is first simplified for searches of its interior; lower zooms are tried
 * next.
 */
const INSIDE_ZOOM = 8;

/**
 * Returns the search shapes of a feature as PostgreSQL polygons. They cover at least the feature, including its holes.
 */
export function placesOf(feature: AnnotationFeature): string[] {
  if (verticesIn([feature]) <= EXACT) return shapesOf(feature.geometry);
  const { geometry } = feature;
  if (geometry.type === 'Point' || geometry.type === 'MultiPoint') return shapesOf(geometry);
  const boxes = linesOf(geometry).flatMap(boxesAlong);
  return isArea(geometry) ? [...boxes, ...insideOf(feature)] : boxes;
}

const isArea = ({ type }: FeatureGeometry): boolean => type === 'Polygon' || type === 'MultiPolygon';

/** Returns the lines of a geometry, or the outlines of its areas. */
function linesOf({ type, coordinates }: FeatureGeometry): readonly (readonly number[])[][] {
  if (type === 'LineString') return [coordinates];
  if (type === 'MultiLineString') return coordinates;
  if (type === 'Polygon') return coordinates.slice(0, 1);
  return type === 'MultiPolygon' ? coordinates.flatMap((rings) => rings.slice(0, 1)) : [];
}

function boxesAlong(points: readonly (readonly number[])[]): string[] {
  return splitLineAtAntimeridian(points as unknown as Position[]).flatMap((part) => {
    const step = Math.max(BOX_VERTICES_MIN, Math.ceil(part.length / BOXES));
    const boxes: string[] = [];
    for (let start = 0; start < part.length - 1; start += step) boxes.push(boxOf(part.slice(start, start + step + 1)));
    return boxes;
  });
}

function boxOf(points: readonly Position[]): string {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [lon, lat] of points) {
    [west, east] = [Math.min(west, lon), Math.max(east, lon)];
    [south, north] = [Math.min(south, lat), Math.max(north, lat)];
  }
  return polygonText([
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ]);
}

function insideOf(feature: AnnotationFeature): string[] {
  for (let zoom = INSIDE_ZOOM; ; zoom -= 1) {
    const [coarse] = simplifiedFeatures([feature], zoom);
    const { geometry } = coarse!;
    const parts = geometry.type === 'MultiPolygon' ? geometry.coordinates.length : 1;
    if (zoom <= 0 || verticesIn([coarse!]) <= EXACT * parts) return shapesOf(geometry);
  }
}
