import type { AnnotationFeature, FeatureGeometry } from '@osprey/contract';
import { drawnEdges, type Position, splitAtAntimeridian } from '@osprey/geo';
import type { Place } from './figures.ts';
import { isArea, linesOf, unrolledGeometry } from './geometry.ts';

/**
 * Returns the geometry in the form for a map: no side jumps at the antimeridian, and sides are where they are straight in
 * longitude and latitude, as the server compares them.
 */
export function drawnGeometry(geometry: FeatureGeometry): FeatureGeometry {
  const shown = withPole(geometry);
  switch (shown.type) {
    case 'LineString':
      return { ...shown, coordinates: drawnEdges([shown.coordinates])[0]! };
    case 'MultiLineString':
    case 'Polygon':
      return { ...shown, coordinates: drawnEdges(shown.coordinates) };
    case 'MultiPolygon':
      return { ...shown, coordinates: shown.coordinates.map((rings) => drawnEdges(rings)) };
    default:
      return shown;
  }
}

export const drawnFeature = (feature: AnnotationFeature): AnnotationFeature => ({
  ...feature,
  geometry: drawnGeometry(feature.geometry),
});

/** Returns the places of each line or ring of a geometry as a map shows them. */
export const drawnLines = (geometry: FeatureGeometry): Place[][] =>
  linesOf(drawnGeometry(geometry)).map(({ places }) => places);

/** A ring around a pole cannot be unrolled, so it is extended to the pole along ±180°. */
function withPole(geometry: FeatureGeometry): FeatureGeometry {
  const unrolled = unrolledGeometry(geometry);
  if (!isArea(unrolled)) return unrolled;
  const isOpen = linesOf(unrolled).some(({ places }) => Math.abs(places[0]![0]! - places.at(-1)![0]!) > 180);
  if (!isOpen) return unrolled;
  const outlines = linesOf(geometry).map(({ places }) => places as unknown as Position[]);
  return {
    type: 'MultiPolygon',
    coordinates: outlines.flatMap(splitAtAntimeridian).map((ring) => [ring]),
  } as FeatureGeometry;
}
