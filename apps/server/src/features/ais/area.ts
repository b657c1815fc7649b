import type { MapArea } from '@osprey/contract';
import { DEGREE_PARTS } from './jump.ts';

/** Whether a stored position lies in an area, which may cross the antimeridian. */
export function isInArea({ west, south, east, north }: MapArea) {
  const [w, s, e, n] = [west, south, east, north].map((one) => one * DEGREE_PARTS) as [number, number, number, number];
  const crosses = west > east;
  return ({ lat, lon }: { lat: number; lon: number }): boolean =>
    lat >= s && lat <= n && (crosses ? lon >= w || lon <= e : lon >= w && lon <= e);
}
