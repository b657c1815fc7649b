import type { Mission } from '@osprey/contract';
import type { FeatureCollection, Point } from 'geojson';
import { platformInk, type Scheme } from '../../base/colours.ts';

export type Places = FeatureCollection<Point, { id: string; name: string; ink: string }>;

/** The missions that have a place, as points in their platform's colour. */
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
