import type { Mission } from '@osprey/contract';
import type { FeatureCollection, Point } from 'geojson';
import { platformInk, type Scheme } from '../../base/colours.ts';

export type Places = FeatureCollection<Point, { id: string; name: string; ink: string }>;

/** Bounds in degrees. West may be below -180 and east above 180, since the map continues around the world. */
export type ViewBounds = { west: number; east: number; south: number; north: number };

/** Returns the number of missions whose place is within the view. */
export function countWithin(missions: readonly Pick<Mission, 'place'>[], view: ViewBounds): number {
  const { west, east, south, north } = view;
  return missions.filter(({ place }) => {
    const [lon, lat] = place ?? [];
    if (lon === undefined || lat === undefined || lat < south || lat > north) return false;
    const eastOfWest = (((lon - west) % 360) + 360) % 360;
    return eastOfWest <= east - west;
  }).length;
}

/** Returns the missions that have a place, as points in the colour of their platform. */
export function placesOf(missions: readonly Mission[], scheme: Scheme): Places {
  return {
    type: 'FeatureCollection',
    features: missions.flatMap(({ _id, name, place, platform }) => {
      const [lon, lat] = place ?? [];
      if (lon === undefined || lat === undefined) return [];
      return {
        type: 'Feature' as const,
        properties: { id: _id, name, ink: platformInk(platform.presentation.color, scheme) },
        geometry: { type: 'Point' as const, coordinates: [lon, lat] },
      };
    }),
  };
}
