import type { FeatureGeometry } from '@osprey/contract';
import { type Position, ringsAsDrawn, withNarrowEdges, wrapLon } from '@osprey/geo';

type Place = number[];

/**
 * Areas as they were drawn, with points on edges of half a turn and more, so that each edge goes the shorter way round
 * wherever it is read. Longitudes that go on past ±180 are taken back onto the globe.
 */
export function asDrawn(geometry: FeatureGeometry): FeatureGeometry {
  switch (geometry.type) {
    case 'Polygon':
      return { ...geometry, coordinates: areaAsDrawn(geometry.coordinates) };
    case 'MultiPolygon':
      return { ...geometry, coordinates: geometry.coordinates.map(areaAsDrawn) };
    case 'LineString':
      return { ...geometry, coordinates: lineAsDrawn(geometry.coordinates) };
    case 'MultiLineString':
      return { ...geometry, coordinates: geometry.coordinates.map(lineAsDrawn) };
    case 'Point':
      return { ...geometry, coordinates: onGlobe(geometry.coordinates) };
    case 'MultiPoint':
      return { ...geometry, coordinates: geometry.coordinates.map(onGlobe) };
  }
}

const areaAsDrawn = (rings: Place[][]): Place[][] => ringsAsDrawn(rings).map((ring) => ring.map(onGlobe));

/** A line without longitudes past ±180 is a track: where it jumps by more than half a turn, it crosses the antimeridian. */
const lineAsDrawn = (line: Place[]): Place[] =>
  line.some(isPastGlobe) ? withNarrowEdges(line as unknown as Position[]).map(onGlobe) : line;

const isPastGlobe = ([lon = 0]: Place): boolean => Math.abs(lon) > 180;

const onGlobe = (place: Place): Place =>
  isPastGlobe(place) ? [Math.round(wrapLon(place[0]!) * 1e9) / 1e9, ...place.slice(1)] : place;
