import type { Point } from '@osprey/geo';
import type { Map as MapLibreMap } from 'maplibre-gl';

/**
 * Returns a function that projects a point to pixels, in the nearest of the repeated worlds, so that shapes are not
 * torn at the antimeridian.
 */
export const projectorOf = (map: MapLibreMap) => (point: Point) => {
  const turns = Math.round((map.getCenter().lng - point.lon) / 360);
  return map.project([point.lon + turns * 360, point.lat]);
};
