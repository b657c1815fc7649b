import { normalise, type Point, RADIANS } from './point.ts';
import { quadrangle } from './quadrangle.ts';
import { add, apply, cross, type Matrix, transpose, unit, type Vector } from './vector.ts';

/** Converts between a picture and the ground it shows. Picture coordinates run from 0 to 1, from the upper left. */
export type Homography = {
  /** Returns the ground point at `x`, `y`; points outside the picture are extrapolated on the same plane. */
  toGround(x: number, y: number): Point;
  /**
   * Returns the picture coordinates of a ground point, possibly outside 0..1; null if the point is beyond the camera's
   * horizon or on the far side of the earth.
   */
  toImage(point: Point): { x: number; y: number } | null;
};

/**
 * Returns the plane perspective that maps the picture's corners (upper left, upper right, lower right, lower left) to
 * their places on the ground. The ground is projected gnomonically around the corners, so that great circles stay
 * straight and neither the antimeridian nor a pole needs special treatment.
 *
 * @returns null if the corners do not form a convex quadrangle with an area, or are half way around the earth.
 */
export function homography(corners: readonly [Point, Point, Point, Point]): Homography | null {
  const directions = corners.map(directionOf);
  const middle = unit(directions.reduce(add));
  const axes = tangentAxes(middle);
  const plane = directions.map((direction) => gnomonic(axes, direction));
  const [a, b, c, d] = plane;
  const onPlane = a && b && c && d ? quadrangle([a, b, c, d]) : null;
  if (!onPlane) return null;
  const toEarth = transpose(axes);

  return {
    toGround(x, y) {
      // At and beyond the horizon of the picture plane, the ground point is the farthest possible one, 90 degrees away.
      const onAxes = onPlane.fromSquare(x, y);
      return pointOf(apply(toEarth, onAxes));
    },
    toImage(point) {
      const flat = gnomonic(axes, directionOf(point));
      const onSquare = flat && onPlane.toSquare(flat[0], flat[1]);
      return onSquare && { x: onSquare[0], y: onSquare[1] };
    },
  };
}

function directionOf({ lon, lat }: Point): Vector {
  const cosLat = Math.cos(lat * RADIANS);
  return [cosLat * Math.cos(lon * RADIANS), cosLat * Math.sin(lon * RADIANS), Math.sin(lat * RADIANS)];
}

function pointOf(direction: Vector): Point {
  const [x, y, z] = direction;
  return normalise({ lon: Math.atan2(y, x) / RADIANS, lat: Math.atan2(z, Math.hypot(x, y)) / RADIANS });
}

/** Returns two directions along the ground at `middle`, and `middle` itself. */
function tangentAxes(middle: Vector): Matrix {
  const aside: Vector = Math.abs(middle[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const east = unit(cross(aside, middle));
  return [east, cross(middle, east), middle];
}

/**
 * Projects a direction onto the tangent plane, with 1 as the third coordinate; null for directions 90 degrees away or
 * more.
 */
function gnomonic(axes: Matrix, direction: Vector): Vector | null {
  const [u, v, w] = apply(axes, direction);
  return w > 1e-6 ? [u / w, v / w, 1] : null;
}
