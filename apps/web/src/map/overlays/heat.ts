import type { FeatureCollection } from 'geojson';

/** A place of a heat map, with the seconds spent on it. */
type HeatPoint = { lat: number; lon: number; seconds: number };

/** Returns the points, weighted by their share of the longest stay. */
export function heatOf(points: readonly HeatPoint[]): FeatureCollection {
  const maximum = Math.max(1, ...points.map(({ seconds }) => seconds));
  return {
    type: 'FeatureCollection',
    features: points.map(({ lat, lon, seconds }) => ({
      type: 'Feature',
      properties: { weight: seconds / maximum },
      geometry: { type: 'Point', coordinates: [lon, lat] },
    })),
  };
}
