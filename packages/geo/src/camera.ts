import { meetGround, meetSurface, northEastDown, toEcef } from './ellipsoid.ts';
import { type Point, type Point3, RADIANS } from './point.ts';
import { apply, length, type Matrix, multiply, subtract, transpose, type Vector } from './vector.ts';

/** Viewing direction of a camera, as the angles of ST 0601, in degrees. */
export type Attitude = {
  /** Tags 5, 6 and 7: platform heading from true north, pitch (nose up), roll (right wing down). */
  headingDeg: number;
  pitchDeg: number;
  rollDeg: number;
  /**
   * Tags 18, 19 and 20: sensor azimuth clockwise from the nose, elevation upwards, roll clockwise, all relative to the
   * platform.
   */
  azimuthDeg: number;
  elevationDeg: number;
  sensorRollDeg: number;
};

/** Fields of view across the whole picture (tags 16 and 17), in degrees. */
export type FieldOfView = { horizontalDeg: number; verticalDeg: number };

/**
 * Returns the matrix that converts directions from a frame that is yawed, pitched and rolled, in that order (each about
 * the axes moved by the previous rotation), into its parent frame. Axes: x forward, y right, z down.
 */
export function rotation(yawDeg: number, pitchDeg: number, rollDeg: number): Matrix {
  const [sy, cy] = [Math.sin(yawDeg * RADIANS), Math.cos(yawDeg * RADIANS)];
  const [sp, cp] = [Math.sin(pitchDeg * RADIANS), Math.cos(pitchDeg * RADIANS)];
  const [sr, cr] = [Math.sin(rollDeg * RADIANS), Math.cos(rollDeg * RADIANS)];
  return [
    [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
    [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
    [-sp, cp * sr, cp * cr],
  ];
}

/**
 * Returns the matrix that converts camera directions (x along the boresight, y to the right of the picture, z down in
 * the picture) into north, east, down.
 */
export function cameraToLocal(attitude: Attitude): Matrix {
  const platform = rotation(attitude.headingDeg, attitude.pitchDeg, attitude.rollDeg);
  return multiply(platform, rotation(attitude.azimuthDeg, attitude.elevationDeg, attitude.sensorRollDeg));
}

/**
 * Casts rays through the picture of one frame; each frame needs its own projector. `x` and `y` run from 0 to 1, with
 * 0,0 at the upper left.
 */
export type Projector = {
  /** Returns the ground point seen at `x`, `y`; null above the horizon. */
  toGround(x: number, y: number): Point | null;
  /**
   * Returns the picture coordinates of a place with its own height, possibly outside 0..1; null if the place is behind
   * the camera.
   */
  toImage(place: Point3): { x: number; y: number } | null;
  /**
   * Returns the distance along the ground, in metres, from the point below the camera to the point seen at `x`, `y`;
   * accurate to 1 cm up to 20 km, and infinite above the horizon.
   */
  rangeM(x: number, y: number): number;
  /**
   * Returns the direction of the ray through `x`, `y`, as north, east and down at the camera, not normalised. Straight
   * lines in the picture stay straight.
   */
  rayOf(x: number, y: number): Vector;
};

/**
 * Creates the projector of a pinhole camera at `position` with the given `attitude`, onto the ellipsoid raised by
 * `groundM` metres. The heights of camera and ground must have the same reference: sea level or ellipsoid.
 */
export function projector(position: Point3, attitude: Attitude, view: FieldOfView, groundM: number): Projector {
  const from = toEcef(position);
  const toLocal = cameraToLocal(attitude);
  const toEarth = multiply(transpose(northEastDown(position)), toLocal);
  const toCamera = transpose(toEarth);
  const right = Math.tan((view.horizontalDeg / 2) * RADIANS);
  const down = Math.tan((view.verticalDeg / 2) * RADIANS);
  const pixel = (x: number, y: number): Vector => [1, (2 * x - 1) * right, (2 * y - 1) * down];
  return {
    toGround: (x, y) => meetGround(from, apply(toEarth, pixel(x, y)), groundM),
    toImage(place) {
      const [ahead, aside, below] = apply(toCamera, subtract(toEcef(place), from));
      return ahead > 0 ? { x: (1 + aside / (ahead * right)) / 2, y: (1 + below / (ahead * down)) / 2 } : null;
    },
    rangeM(x, y) {
      const at = meetSurface(from, apply(toEarth, pixel(x, y)), groundM);
      return at === null ? Number.POSITIVE_INFINITY : length(subtract(at, toEcef({ ...position, heightM: groundM })));
    },
    rayOf: (x, y) => apply(toLocal, pixel(x, y)),
  };
}
