import type { Point } from '@osprey/geo';
import type { Map as MapLibreMap } from 'maplibre-gl';

/** Pixels of a point on the map: of the nearest of the repeated worlds, so that nothing tears at the antimeridian. */
export const projectorOf = (map: MapLibreMap) => (point: Point) => {
  const turns = Math.round((map.getCenter().lng - point.lon) / 360);
  return map.project([point.lon + turns * 360, point.lat]);
};
