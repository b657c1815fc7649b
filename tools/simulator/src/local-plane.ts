import { type Point, toEcef, wrapLon } from '@osprey/geo';

/**
 * Converts to metres east and north of a scene's origin. The conversion is linear in degrees, so it is valid for tens
 * of kilometres.
 */
export type Plane = {
  toPlane(point: Point): [east: number, north: number];
  toPoint(east: number, north: number): Point;
};

export function localPlane(origin: Point): Plane {
  // Metres per thousandth of a degree on the ellipsoid, in each direction.
  const metresTo = (point: Point) => {
    const [a, b] = [toEcef({ ...origin, heightM: 0 }), toEcef({ ...point, heightM: 0 })];
    return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) * 1000;
  };
  const perLon = metresTo({ lon: origin.lon + 0.001, lat: origin.lat });
  const perLat = metresTo({ lon: origin.lon, lat: origin.lat + 0.001 });
  return {
    toPlane: ({ lon, lat }) => [wrapLon(lon - origin.lon) * perLon, (lat - origin.lat) * perLat],
    toPoint: (east, north) => ({ lon: wrapLon(origin.lon + east / perLon), lat: origin.lat + north / perLat }),
  };
}
