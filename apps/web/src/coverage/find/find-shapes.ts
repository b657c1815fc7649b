import type { FeatureGeometry, FoundSpan, TargetShape } from '@osprey/contract';
import { destination, drawnEdges, type Position, ringsAsDrawn, toPosition, wrapLon } from '@osprey/geo';
import type { Feature, Geometry } from 'geojson';
import { drawnGeometry } from '../../map/draw/drawn.ts';

/** The queried shape as drawn on a map, with the geometries of an annotation. */
export type ShownShape = { shape: TargetShape; features: readonly FeatureGeometry[] };

const CIRCLE_CORNERS = 72;
/** Size of a pixel in metres at the equator at zoom 0, for tiles of 512 px. */
export const PIXEL_M = 78_271.517;

/** Returns the queried shape as a map draws it. */
export function featuresOf({ shape, features }: ShownShape): Feature[] {
  const of = (geometry: Geometry, properties = {}): Feature => ({ type: 'Feature', properties, geometry });
  switch (shape.type) {
    case 'Point':
      return [of(shape)];
    case 'Polygon':
      return [of({ type: 'Polygon', coordinates: drawnEdges(ringsAsDrawn(shape.coordinates).map(continued)) })];
    case 'Circle':
      return [of({ type: 'Polygon', coordinates: [continued(circleRing(shape.centre, shape.radiusM))] })];
    case 'Corridor': {
      const line = continued(shape.line);
      const middle = line[line.length >> 1]![1];
      // Width in pixels at zoom 0; each zoom doubles it.
      const pixels = shape.widthM / (PIXEL_M * Math.cos((middle * Math.PI) / 180));
      return [of({ type: 'LineString', coordinates: drawnEdges([line])[0]! }, { pixels })];
    }
    case 'Annotation':
      return features.map((geometry) => of(drawnGeometry(geometry)));
  }
}

function circleRing([lon, lat]: readonly [number, number], radiusM: number): [number, number][] {
  const ring = Array.from({ length: CIRCLE_CORNERS }, (_, at) =>
    toPosition(destination({ lon, lat }, (-at * 360) / CIRCLE_CORNERS, radiusM)),
  );
  return [...ring, ring[0]!];
}

/**
 * Returns positions with longitudes that continue beyond ±180, as a map needs them to draw a shape across the
 * antimeridian.
 */
function continued(positions: readonly (readonly number[])[]): Position[] {
  let before = positions[0]?.[0] ?? 0;
  return positions.map(([lon = 0, lat = 0]) => {
    before += wrapLon(lon - before);
    return [before, lat];
  });
}

/** Returns the ground of a span; a frame centre whose width is not known is a point. */
export function viewOf(
  { corners, approximate }: Pick<FoundSpan, 'corners' | 'approximate'>,
  isChosen: boolean,
): Feature {
  const [first, , opposite] = corners;
  const isPoint = first?.join() === opposite?.join();
  return {
    type: 'Feature',
    properties: { chosen: isChosen, ...(approximate && { approximate }) },
    geometry: isPoint
      ? { type: 'Point', coordinates: first! }
      : { type: 'Polygon', coordinates: [continued([...corners, first!])] },
  };
}

/** Returns all positions of a geometry. */
export function positionsOf(geometry: Geometry): Position[] {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.flatMap(positionsOf);
  const flat = (coordinates: unknown): Position[] =>
    Array.isArray(coordinates) && typeof coordinates[0] === 'number'
      ? [[coordinates[0], Number(coordinates[1])]]
      : (coordinates as unknown[]).flatMap(flat);
  return flat(geometry.coordinates);
}
