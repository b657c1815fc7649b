import type { AnnotationFeature } from '@osprey/contract';
import { bearing, lengthM, type Place, placeAt, rectangle, remade } from './figures.ts';
import { addVertex, isArea, linesOf, mapGeometry, moveVertex, type Path, verticesOf } from './geometry.ts';

/** Handle of a selected shape. */
export type Handle =
  | { kind: 'vertex'; path: Path; place: Place }
  /** Handle halfway to the next vertex; dragging it creates a new vertex. */
  | { kind: 'middle'; path: Path; place: Place }
  | { kind: 'centre' | 'radius' | 'bearingFrom' | 'bearingTo'; place: Place };

export function handlesOf(feature: AnnotationFeature): Handle[] {
  const { shape, centre, radius, bearingFrom = 0, bearingTo = 90 } = feature.properties;
  if (centre !== undefined && radius !== undefined && shape !== undefined && shape !== 'rectangle') {
    const of = (kind: 'radius' | 'bearingFrom' | 'bearingTo', degrees: number): Handle => ({
      kind,
      place: placeAt(centre, degrees, radius),
    });
    if (shape !== 'sector') return [{ kind: 'centre', place: centre }, of('radius', 90)];
    const turn = (bearingTo - bearingFrom + 360) % 360 || 360;
    return [
      { kind: 'centre', place: centre },
      of('bearingFrom', bearingFrom),
      of('radius', bearingFrom + turn / 2),
      of('bearingTo', bearingTo),
    ];
  }
  const vertices = verticesOf(feature.geometry).map((one): Handle => ({ kind: 'vertex', ...one }));
  return shape === 'rectangle' ? vertices : [...vertices, ...middlesOf(feature)];
}

function middlesOf({ geometry }: AnnotationFeature): Handle[] {
  if (geometry.type === 'Point' || geometry.type === 'MultiPoint') return [];
  return linesOf(geometry).flatMap(({ path, places }) =>
    places.slice(1).map(
      ([lon = 0, lat = 0], index): Handle => ({
        kind: 'middle',
        path: [...path, index],
        place: [(lon + places[index]![0]!) / 2, (lat + places[index]![1]!) / 2],
      }),
    ),
  );
}

/** Returns the feature after a handle was dragged to another position. */
export function dragged(feature: AnnotationFeature, handle: Handle, to: Place): AnnotationFeature {
  const { properties, geometry } = feature;
  const { centre, shape } = properties;
  switch (handle.kind) {
    case 'centre':
      return remade(feature, { centre: to }) ?? feature;
    case 'radius':
      return remade(feature, { radius: Math.max(1, lengthM(centre!, to)) }) ?? feature;
    case 'bearingFrom':
    case 'bearingTo':
      return remade(feature, { [handle.kind]: Math.round(bearing(centre!, to) * 10) / 10 }) ?? feature;
    case 'middle':
      return { ...feature, geometry: addVertex(geometry, handle.path, to) };
    case 'vertex': {
      if (shape !== 'rectangle') return { ...feature, geometry: moveVertex(geometry, handle.path, to) };
      const corners = linesOf(geometry)[0]!.places;
      const opposite = corners[(handle.path.at(-1)! + 2) % 4]!;
      return { ...feature, geometry: { type: 'Polygon', coordinates: rectangle(opposite, to) } };
    }
  }
}

/** Moves the whole shape by these degrees; figures keep their size on the ground. */
export function shifted(feature: AnnotationFeature, byLon: number, byLat: number): AnnotationFeature {
  const move = ([lon = 0, lat = 0, ...rest]: Place): Place => [
    lon + byLon,
    Math.max(-90, Math.min(90, lat + byLat)),
    ...rest,
  ];
  const { centre } = feature.properties;
  const moved = centre && remade(feature, { centre: move(centre) });
  return moved ?? { ...feature, geometry: mapGeometry(feature.geometry, move) };
}

/** Converts a rectangle to a free polygon, after one of its vertices was typed, added or removed. */
export function asFree(feature: AnnotationFeature): AnnotationFeature {
  const { shape, ...properties } = feature.properties;
  return shape === 'rectangle' && isArea(feature.geometry) ? { ...feature, properties } : feature;
}
