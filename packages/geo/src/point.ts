/** A place on WGS 84: degrees, north and east positive. */
export type Point = { lon: number; lat: number };

/** A place in GeoJSON order: [longitude, latitude] in degrees. */
export type Position = [lon: number, lat: number];

/** A place with its height in metres above the ellipsoid, or above mean sea level in data that give no other height. */
export type Point3 = Point & { heightM: number };

export const RADIANS = Math.PI / 180;

/** Wraps a longitude in degrees into [-180, 180). */
export function wrapLon(lon: number): number {
  if (lon >= -180 && lon < 180) return lon;
  const turned = (lon + 180) % 360;
  return (turned < 0 ? turned + 360 : turned) - 180;
}

/** Wraps a bearing in degrees into [0, 360). */
export function wrapBearing(bearingDeg: number): number {
  const turned = bearingDeg % 360;
  // Wrap twice, since a tiny negative number plus 360 rounds to 360 itself.
  return turned < 0 ? (turned + 360) % 360 : turned;
}

/** Returns a turn the shorter way round, in degrees in [-180, 180]; exactly half a turn keeps its sign. */
export function shortestTurn(degrees: number): number {
  return Math.abs(degrees) <= 180 ? degrees : wrapLon(degrees);
}

/**
 * Returns a point with normalised coordinates, if its latitude has passed a pole or its longitude has passed ±180
 * degrees.
 */
export function normalise({ lon, lat }: Point): Point {
  const turned = wrapLon(lat);
  if (turned > 90) return { lon: wrapLon(lon + 180), lat: 180 - turned };
  if (turned < -90) return { lon: wrapLon(lon + 180), lat: -180 - turned };
  return { lon: wrapLon(lon), lat: turned };
}

export const toPosition = ({ lon, lat }: Point): Position => [lon, lat];

/** Returns a closed GeoJSON ring from the corners of a footprint or any list of points. */
export function ringOf(points: readonly Point[]): Position[] {
  const ring = points.map(toPosition);
  const first = points[0];
  return first ? [...ring, toPosition(first)] : ring;
}
