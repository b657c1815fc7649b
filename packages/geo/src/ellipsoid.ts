import { type Point, type Point3, RADIANS, wrapLon } from './point.ts';
import type { Matrix, Vector } from './vector.ts';

/** WGS 84 (NIMA TR8350.2, table 3.1): semi-major axis in metres and flattening. */
export const SEMI_MAJOR_M = 6378137;
export const FLATTENING = 1 / 298.257223563;
export const SEMI_MINOR_M = SEMI_MAJOR_M * (1 - FLATTENING);
/** First eccentricity squared. */
export const ECCENTRICITY_SQUARED = FLATTENING * (2 - FLATTENING);

/** Returns the Earth-centred, Earth-fixed coordinates, in metres, of a place with its height above the ellipsoid. */
export function toEcef({ lon, lat, heightM }: Point3): Vector {
  const sinLat = Math.sin(lat * RADIANS);
  const cosLat = Math.cos(lat * RADIANS);
  const normalM = SEMI_MAJOR_M / Math.sqrt(1 - ECCENTRICITY_SQUARED * sinLat * sinLat);
  return [
    (normalM + heightM) * cosLat * Math.cos(lon * RADIANS),
    (normalM + heightM) * cosLat * Math.sin(lon * RADIANS),
    (normalM * (1 - ECCENTRICITY_SQUARED) + heightM) * sinLat,
  ];
}

/**
 * Returns the place at Earth-fixed coordinates; accurate to under a millimetre from the sea floor to a height of 100
 * km.
 */
export function fromEcef([x, y, z]: Vector): Point3 {
  const axisM = Math.hypot(x, y);
  // Start with Bowring's value, then refine in Newton-like steps. Two steps suffice near the surface; the others cost
  // almost nothing.
  let lat = Math.atan2(z, axisM * (1 - ECCENTRICITY_SQUARED));
  for (let step = 0; step < 4; step += 1) {
    const reduced = Math.atan2((1 - FLATTENING) * Math.sin(lat), Math.cos(lat));
    const secondEccentricity = ECCENTRICITY_SQUARED / (1 - ECCENTRICITY_SQUARED);
    lat = Math.atan2(
      z + secondEccentricity * SEMI_MINOR_M * Math.sin(reduced) ** 3,
      axisM - ECCENTRICITY_SQUARED * SEMI_MAJOR_M * Math.cos(reduced) ** 3,
    );
  }
  const sinLat = Math.sin(lat);
  const surfaceM = SEMI_MAJOR_M * Math.sqrt(1 - ECCENTRICITY_SQUARED * sinLat * sinLat);
  const heightM = axisM * Math.cos(lat) + z * sinLat - surfaceM;
  return { lon: wrapLon(Math.atan2(y, x) / RADIANS), lat: lat / RADIANS, heightM };
}

/** Returns a matrix whose rows are the north, east and down directions at a place, in Earth-fixed coordinates. */
export function northEastDown({ lon, lat }: Point): Matrix {
  const sinLat = Math.sin(lat * RADIANS);
  const cosLat = Math.cos(lat * RADIANS);
  const sinLon = Math.sin(lon * RADIANS);
  const cosLon = Math.cos(lon * RADIANS);
  return [
    [-sinLat * cosLon, -sinLat * sinLon, cosLat],
    [-sinLon, cosLon, 0],
    [-cosLat * cosLon, -cosLat * sinLon, -sinLat],
  ];
}

/**
 * Returns the first intersection of a ray from `from` (Earth-fixed metres) along `direction` with the ellipsoid raised
 * by `heightM`.
 *
 * @returns Earth-fixed metres; null if the ray passes over the horizon, points upwards, or starts below ground
 */
export function meetSurface(from: Vector, direction: Vector, heightM: number): Vector | null {
  // Scale the axes so that the raised ellipsoid becomes the unit sphere.
  const wide = 1 / (SEMI_MAJOR_M + heightM);
  const high = 1 / (SEMI_MINOR_M + heightM);
  const [px, py, pz] = [from[0] * wide, from[1] * wide, from[2] * high];
  const [dx, dy, dz] = [direction[0] * wide, direction[1] * wide, direction[2] * high];
  const a = dx * dx + dy * dy + dz * dz;
  const b = px * dx + py * dy + pz * dz;
  const c = px * px + py * py + pz * pz - 1;
  const discriminant = b * b - a * c;
  if (!(a > 0) || !(c > 0) || !(discriminant >= 0) || !(b < 0)) return null;
  const distance = c / (-b + Math.sqrt(discriminant));
  return [from[0] + distance * direction[0], from[1] + distance * direction[1], from[2] + distance * direction[2]];
}

/** Returns the longitude and latitude at which a ray first meets the raised ellipsoid; see `meetSurface`. */
export function meetGround(from: Vector, direction: Vector, heightM: number): Point | null {
  const at = meetSurface(from, direction, heightM);
  if (at === null) return null;
  const { lon, lat } = fromEcef(at);
  return { lon, lat };
}
