import type { AnnotationFeature, FeatureGeometry } from '@osprey/contract';
import { withNarrowEdges, wrapLon } from '@osprey/geo';
import type { Place } from './figures.ts';

/** Indexes that locate a vertex in the coordinates of its geometry. */
export type Path = readonly number[];

type Coordinates = Place | Coordinates[];

const isPlace = (value: Coordinates): value is Place => typeof value[0] === 'number' || value.length === 0;

function mapPlaces(coordinates: Coordinates, change: (place: Place) => Place): Coordinates {
  return isPlace(coordinates) ? change(coordinates) : coordinates.map((part) => mapPlaces(part, change));
}

const withCoordinates = (geometry: FeatureGeometry, coordinates: Coordinates): FeatureGeometry =>
  ({ ...geometry, coordinates }) as FeatureGeometry;

export function mapGeometry(geometry: FeatureGeometry, change: (place: Place) => Place): FeatureGeometry {
  return withCoordinates(geometry, mapPlaces(geometry.coordinates as Coordinates, change));
}

/** Returns each line or ring of a geometry with its path; each point is a line with a single position. */
export function linesOf(geometry: FeatureGeometry): { path: Path; places: Place[] }[] {
  if (geometry.type === 'Point') return [{ path: [], places: [geometry.coordinates] }];
  const found: { path: Path; places: Place[] }[] = [];
  const walk = (coordinates: Coordinates, path: Path) => {
    if (isPlace(coordinates)) return;
    if (coordinates[0] !== undefined && isPlace(coordinates[0])) found.push({ path, places: coordinates as Place[] });
    else for (const [index, part] of coordinates.entries()) walk(part, [...path, index]);
  };
  walk(geometry.coordinates as Coordinates, []);
  return found;
}

export const isArea = ({ type }: FeatureGeometry): boolean => type === 'Polygon' || type === 'MultiPolygon';

/** Returns the vertices of a geometry, without the last one of each ring, which equals the first. */
export function verticesOf(geometry: FeatureGeometry): { path: Path; place: Place }[] {
  return linesOf(geometry).flatMap(({ path, places }) => {
    if (geometry.type === 'Point') return [{ path: [], place: places[0]! }];
    const own = isArea(geometry) ? places.slice(0, -1) : places;
    return own.map((place, index) => ({ path: [...path, index], place }));
  });
}

function changeLine(
  geometry: FeatureGeometry,
  path: Path,
  change: (places: Place[], index: number) => Place[],
): FeatureGeometry {
  const walk = (coordinates: Coordinates[], at: Path): Coordinates[] => {
    const [index = 0, ...rest] = at;
    if (rest.length === 0) return change(coordinates as Place[], index);
    return coordinates.map((part, own) => (own === index ? walk(part as Coordinates[], rest) : part));
  };
  return withCoordinates(geometry, walk(geometry.coordinates as Coordinates[], path));
}

/**
 * Moves one vertex of a geometry and keeps its altitude. In a ring, the equal first and last vertices move together.
 */
export function moveVertex(geometry: FeatureGeometry, path: Path, to: Place): FeatureGeometry {
  const moved = (place: Place): Place => [...to.slice(0, 2), ...place.slice(2)];
  if (geometry.type === 'Point') return { ...geometry, coordinates: moved(geometry.coordinates) };
  return changeLine(geometry, path, (places, index) => {
    const last = places.length - 1;
    const isEnd = isArea(geometry) && index === 0;
    return places.map((place, own) => (own === index || (isEnd && own === last) ? moved(place) : place));
  });
}

/** Inserts a vertex after the one at the path. */
export function addVertex(geometry: FeatureGeometry, path: Path, place: Place): FeatureGeometry {
  return changeLine(geometry, path, (places, index) => [
    ...places.slice(0, index + 1),
    place,
    ...places.slice(index + 1),
  ]);
}

/** Removes a vertex; null if too few would remain. */
export function removeVertex(geometry: FeatureGeometry, path: Path): FeatureGeometry | null {
  if (geometry.type === 'Point') return null;
  let isLeft = true;
  const changed = changeLine(geometry, path, (places, index) => {
    const open = isArea(geometry) ? places.slice(0, -1) : places;
    const retained = open.filter((_, own) => own !== index);
    isLeft = retained.length >= (isArea(geometry) ? 3 : geometry.type === 'MultiPoint' ? 1 : 2);
    return isArea(geometry) ? [...retained, retained[0] ?? [0, 0]] : retained;
  });
  return isLeft ? changed : null;
}

/**
 * Returns positions whose longitudes exceed ±180 where a side would otherwise go around more than half of the globe.
 */
export function unrolled(places: readonly Place[]): Place[] {
  let turns = 0;
  return places.map(([lon = 0, lat = 0, ...rest], index) => {
    const step = lon - (places[index - 1]?.[0] ?? lon);
    if (Math.abs(step) > 180 && Math.abs(step) < 360) turns -= Math.sign(step);
    return [lon + 360 * turns, lat, ...rest];
  });
}

/** Returns the geometry in the form for drawing, in which no side jumps at the antimeridian. */
export function unrolledGeometry(geometry: FeatureGeometry): FeatureGeometry {
  switch (geometry.type) {
    case 'LineString':
      return { ...geometry, coordinates: unrolled(geometry.coordinates) };
    case 'MultiLineString':
      return { ...geometry, coordinates: geometry.coordinates.map(unrolled) };
    case 'Polygon':
      return { ...geometry, coordinates: unrolledArea(geometry.coordinates) };
    case 'MultiPolygon':
      return { ...geometry, coordinates: geometry.coordinates.map(unrolledArea) };
    default:
      return geometry;
  }
}

/** Holes are shifted by full turns to where their outline is. */
function unrolledArea([outline = [], ...holes]: readonly Place[][]): Place[][] {
  const around = unrolled(outline);
  const { west, east } = endsOf(around);
  return [
    around,
    ...holes.map((hole) => {
      const ring = unrolled(hole);
      const own = endsOf(ring);
      const turn = [0, 360, -360].find((by) => own.west + by >= west && own.east + by <= east) ?? 0;
      return ring.map(([lon = 0, ...rest]): Place => [lon + turn, ...rest]);
    }),
  ];
}

function endsOf(places: readonly Place[]): { west: number; east: number } {
  let [west, east] = [Infinity, -Infinity];
  for (const [lon = 0] of places) [west, east] = [Math.min(west, lon), Math.max(east, lon)];
  return { west, east };
}

/** Returns the feature in the form for the server: longitudes within ±180, with seven decimals. */
export function storedFeature(feature: AnnotationFeature): AnnotationFeature {
  const stored = ([lon = 0, lat = 0, ...rest]: Place): Place => [
    Number((Math.abs(lon) > 180 ? wrapLon(lon) : lon).toFixed(7)),
    Number(Math.max(-90, Math.min(90, lat)).toFixed(7)),
    ...rest.slice(0, 1),
  ];
  const { centre } = feature.properties;
  return {
    ...feature,
    properties: { ...feature.properties, ...(centre && { centre: stored(centre) }) },
    geometry: mapGeometry(withShortEdges(feature.geometry), stored),
  };
}

/**
 * Adds positions to edges that are half a turn wide or more, so that the shorter way around is what was drawn. An area
 * across the antimeridian turns counter-clockwise, by which the server recognizes it.
 */
function withShortEdges(geometry: FeatureGeometry): FeatureGeometry {
  const area = ([outline = [], ...holes]: readonly Place[][]): Place[][] => {
    const isAcross = outline.some(([lon = 0]) => Math.abs(lon) > 180);
    return [isAcross ? counterClockwise(outline) : outline, ...holes].map(withNarrowEdges);
  };
  switch (geometry.type) {
    case 'LineString':
      return { ...geometry, coordinates: withNarrowEdges(geometry.coordinates) };
    case 'MultiLineString':
      return { ...geometry, coordinates: geometry.coordinates.map(withNarrowEdges) };
    case 'Polygon':
      return { ...geometry, coordinates: area(geometry.coordinates) };
    case 'MultiPolygon':
      return { ...geometry, coordinates: geometry.coordinates.map(area) };
    default:
      return geometry;
  }
}

/** Returns the ring in counter-clockwise order, as RFC 7946 requires for outlines. */
export function counterClockwise(ring: number[][]): number[][] {
  const turn = ring.slice(1).reduce((sum, [lon = 0, lat = 0], index) => {
    const [fromLon = 0, fromLat = 0] = ring[index]!;
    return sum + (lon - fromLon) * (lat + fromLat);
  }, 0);
  return turn > 0 ? ring.toReversed() : ring;
}

type Bounds = [[west: number, south: number], [east: number, north: number]];

/** Returns the bounds of the features; null if there are none. */
export function boundsOf(features: readonly AnnotationFeature[]): Bounds | null {
  let [west, south, east, north] = [Infinity, 90, -Infinity, -90];
  for (const { geometry } of features) {
    for (const { places } of linesOf(unrolledGeometry(geometry))) {
      for (const [lon = 0, lat = 0] of places) {
        [west, east] = [Math.min(west, lon), Math.max(east, lon)];
        [south, north] = [Math.min(south, lat), Math.max(north, lat)];
      }
    }
  }
  return Number.isFinite(west)
    ? [
        [west, south],
        [east, north],
      ]
    : null;
}

const turn = (a: Place, b: Place, c: Place): number =>
  Math.sign((b[0]! - a[0]!) * (c[1]! - a[1]!) - (b[1]! - a[1]!) * (c[0]! - a[0]!));

const cross = (a: Place, b: Place, c: Place, d: Place): boolean =>
  turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;

/** Whether a side to the next vertex would cross a side that is already drawn. */
export function crossesPath(path: readonly Place[], next: Place): boolean {
  const last = path.at(-1);
  if (last === undefined) return false;
  return path.slice(0, -2).some((start, index) => cross(start, path[index + 1]!, last, next));
}
