import { meetGround, meetSurface, northEastDown, toEcef } from './ellipsoid.ts';
import { type Point, type Point3, RADIANS } from './point.ts';
import { apply, length, type Matrix, multiply, subtract, transpose, type Vector } from './vector.ts';

/** Where a camera looks, in the angles of ST 0601, degrees. */
export type Attitude = {
  /** Tags 5, 6, 7: platform heading from true north, pitch nose up, roll right wing down. */
  headingDeg: number;
  pitchDeg: number;
  rollDeg: number;
  /** Tags 18, 19, 20: sensor azimuth clockwise from the nose, elevation upwards, roll clockwise, all to the platform. */
  azimuthDeg: number;
  elevationDeg: number;
  sensorRollDeg: number;
};

/** Fields of view over the whole picture in degrees, tags 16 and 17. */
export type FieldOfView = { horizontalDeg: number; verticalDeg: number };

/**
 * Turns directions of a frame yawed, pitched and rolled in that order (each about the axes moved by the one before)
 * into its parent frame; x forward, y right, z down.
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

/** Turns camera directions (x along the boresight, y to the right of the picture, z down it) into north, east, down. */
export function cameraToLocal(attitude: Attitude): Matrix {
  const platform = rotation(attitude.headingDeg, attitude.pitchDeg, attitude.rollDeg);
  return multiply(platform, rotation(attitude.azimuthDeg, attitude.elevationDeg, attitude.sensorRollDeg));
}

/** Casts the rays of one frame's picture; make one per frame. `x`, `y` are 0..1 of the picture, 0,0 upper left. */
export type Projector = {
  /** The ground point under `x`, `y`; null above the horizon. */
  toGround(x: number, y: number): Point | null;
  /** Where a place with its own height appears, also outside 0..1; null for one at the back of the camera. */
  toImage(place: Point3): { x: number; y: number } | null;
  /** Metres along the ground from below the camera to that point, up to 20 km within 1 cm; infinite above the horizon. */
  rangeM(x: number, y: number): number;
  /** The direction of `x`, `y`: north, east and down at the camera, without unit. Straight lines of the picture stay straight. */
  rayOf(x: number, y: number): Vector;
};

/**
 * A pinhole camera at `position` looking by `attitude` at the ellipsoid raised by `groundM` metres.
 * Heights of camera and ground must have the same zero, sea level or ellipsoid.
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
