import type { FeatureGeometry } from '@osprey/contract';
import { type Position, splitAtAntimeridian, splitLineAtAntimeridian } from '@osprey/geo';
import { polygonText } from './query-geometry.ts';

/** Half the side of the square that represents a point in the index, in degrees (about a tenth of a metre). */
const POINT_DEG = 0.000_001;

/** Converts a geometry to PostgreSQL polygons. A line becomes a polygon that returns along the same points. */
export function shapesOf(geometry: FeatureGeometry): string[] {
  switch (geometry.type) {
    case 'Point':
      return [pointShape(geometry.coordinates)];
    case 'MultiPoint':
      return geometry.coordinates.map(pointShape);
    case 'LineString':
      return lineShapes(geometry.coordinates);
    case 'MultiLineString':
      return geometry.coordinates.flatMap(lineShapes);
    case 'Polygon':
      return ringShapes(geometry.coordinates[0]);
    case 'MultiPolygon':
      return geometry.coordinates.flatMap(([outer]) => ringShapes(outer));
  }
}

type Coordinates = readonly number[];

const positions = (points: readonly Coordinates[]): Position[] => points.map(([lon = 0, lat = 0]) => [lon, lat]);

function pointShape([lon = 0, lat = 0]: Coordinates): string {
  const [west, east, south, north] = [lon - POINT_DEG, lon + POINT_DEG, lat - POINT_DEG, lat + POINT_DEG];
  return polygonText([
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ]);
}

const lineShapes = (points: readonly Coordinates[]): string[] =>
  splitLineAtAntimeridian(positions(points)).map((part) => polygonText([...part, ...part.slice(1, -1).reverse()]));

const ringShapes = (points: readonly Coordinates[] | undefined): string[] =>
  splitAtAntimeridian(positions(points ?? [])).map(polygonText);
