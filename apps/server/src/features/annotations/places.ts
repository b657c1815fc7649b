import type { AnnotationFeature, FeatureGeometry } from '@osprey/contract';
import { type Position, splitLineAtAntimeridian } from '@osprey/geo';
import { polygonText } from '../../base/db/query-geometry.ts';
import { shapesOf } from '../../base/db/shapes.ts';
import { simplifiedFeatures, verticesIn } from './levels.ts';

/** PostgreSQL compares polygons edge by edge: longer ones are looked up by boxes along them. */
const EXACT = 64;
/** Boxes along one line or ring. */
const BOXES = 64;
const LEAST_IN_BOX = 8;
/** Where the inside of a large area is looked up, its outline is as at this zoom at first, then as farther out. */
const INSIDE_ZOOM = 8;

/** Search geometry of a feature, as PostgreSQL's polygons: never less than the feature covers, but for its holes. */
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
    const step = Math.max(LEAST_IN_BOX, Math.ceil(part.length / BOXES));
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
