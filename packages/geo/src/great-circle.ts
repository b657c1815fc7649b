import { normalise, type Point, type Position, RADIANS, shortestTurn, toPosition, wrapBearing } from './point.ts';

/** Mean earth radius in metres, (2a + b) / 3 of WGS 84 (IUGG). */
export const MEAN_RADIUS_M = 6371008.7714;

/**
 * Returns the great-circle distance in metres on the mean sphere. It is within 0.56 % of the distance on the ellipsoid,
 * and 0.3 % in middle latitudes.
 */
export function distanceM(a: Point, b: Point): number {
  const sinLat = Math.sin(((b.lat - a.lat) * RADIANS) / 2);
  const sinLon = Math.sin(((b.lon - a.lon) * RADIANS) / 2);
  const chord = sinLat * sinLat + Math.cos(a.lat * RADIANS) * Math.cos(b.lat * RADIANS) * sinLon * sinLon;
  // Rounding may raise the value slightly above 1 for antipodal points.
  return 2 * MEAN_RADIUS_M * Math.asin(Math.sqrt(Math.min(1, chord)));
}

/** Returns the bearing from `a` to `b`, in degrees clockwise from true north, in [0, 360). */
export function bearingDeg(a: Point, b: Point): number {
  const turn = (b.lon - a.lon) * RADIANS;
  const cosB = Math.cos(b.lat * RADIANS);
  const east = Math.sin(turn) * cosB;
  const north =
    Math.cos(a.lat * RADIANS) * Math.sin(b.lat * RADIANS) - Math.sin(a.lat * RADIANS) * cosB * Math.cos(turn);
  return wrapBearing(Math.atan2(east, north) / RADIANS);
}

/**
 * Returns the point at a distance of `metres` from `from`, along the great circle with the initial `bearing` in
 * degrees.
 */
export function destination(from: Point, bearing: number, metres: number): Point {
  const angle = metres / MEAN_RADIUS_M;
  const sinFrom = Math.sin(from.lat * RADIANS);
  const cosFrom = Math.cos(from.lat * RADIANS);
  const north = Math.cos(bearing * RADIANS);
  // Compute with vectors, because an arc sine would lose several metres of precision near the poles.
  const up = sinFrom * Math.cos(angle) + cosFrom * Math.sin(angle) * north;
  const ahead = cosFrom * Math.cos(angle) - sinFrom * Math.sin(angle) * north;
  const aside = Math.sin(angle) * Math.sin(bearing * RADIANS);
  const turn = Math.atan2(aside, ahead);
  const lat = Math.atan2(up, Math.hypot(ahead, aside));
  return normalise({ lon: from.lon + turn / RADIANS, lat: lat / RADIANS });
}

/**
 * Returns the ring or line with points added along great circles, so that no edge spans more than one degree of
 * longitude.
 */
export function alongGreatCircles(line: readonly Position[]): Position[] {
  return line.flatMap((position, index) => {
    const before = line[index - 1];
    if (!before) return [position];
    const steps = Math.ceil(Math.abs(shortestTurn(position[0] - before[0])));
    if (steps < 2) return [position];
    const [from, to] = [toPoint(before), toPoint(position)];
    const [bearing, metres] = [bearingDeg(from, to), distanceM(from, to)];
    const added = Array.from({ length: steps - 1 }, (_, step) =>
      toPosition(destination(from, bearing, (metres * (step + 1)) / steps)),
    );
    return [...added, position];
  });
}

const toPoint = ([lon, lat]: Position): Point => ({ lon, lat });
