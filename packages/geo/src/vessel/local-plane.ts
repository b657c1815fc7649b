import { ECCENTRICITY_SQUARED, northEastDown, SEMI_MAJOR_M } from '../ellipsoid.ts';
import { normalise, type Point, RADIANS } from '../point.ts';
import { apply, transpose, type Vector } from '../vector.ts';

/** Metres east and north of the origin of a plane. */
export type Metres = readonly [east: number, north: number];

/**
 * A tangent plane: distances in metres are accurate near its origin, and great circles are straight lines everywhere on
 * it.
 */
export type LocalPlane = {
  /** Returns null for places 90 degrees away or more. */
  toPlane(place: Point): Metres | null;
  toPlace(at: Metres): Point;
};

/** Gnomonic projection around a place, scaled by the radii of curvature of WGS 84 there. */
export function planeAround(origin: Point): LocalPlane {
  const axes = northEastDown(origin);
  const toEarth = transpose(axes);
  const sinLat = Math.sin(origin.lat * RADIANS);
  const root = Math.sqrt(1 - ECCENTRICITY_SQUARED * sinLat * sinLat);
  const eastM = SEMI_MAJOR_M / root;
  const northM = (SEMI_MAJOR_M * (1 - ECCENTRICITY_SQUARED)) / (root * root * root);
  return {
    toPlane(place) {
      const [north, east, down] = apply(axes, directionOf(place));
      return down < -1e-6 ? [(east / -down) * eastM, (north / -down) * northM] : null;
    },
    toPlace([east, north]) {
      const [x, y, z] = apply(toEarth, [north / northM, east / eastM, -1]);
      return normalise({ lon: Math.atan2(y, x) / RADIANS, lat: Math.atan2(z, Math.hypot(x, y)) / RADIANS });
    },
  };
}

function directionOf({ lon, lat }: Point): Vector {
  const cosLat = Math.cos(lat * RADIANS);
  return [cosLat * Math.cos(lon * RADIANS), cosLat * Math.sin(lon * RADIANS), Math.sin(lat * RADIANS)];
}
