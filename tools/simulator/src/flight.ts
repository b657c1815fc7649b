import type { Point, Point3 } from '@osprey/geo';
import type { Plane } from './local-plane.ts';
import type { ResolvedOptions } from './options.ts';
import {
  quantiseAltitude,
  quantiseHeading,
  quantiseLat,
  quantiseLon,
  quantisePitch,
  quantiseRoll,
} from './quantise.ts';
import { randomOf, wander } from './random.ts';
import { closedTrack, type PlanePoint } from './track.ts';

/** State of the aircraft at one moment, rounded to the steps of its own metadata. */
export type PlatformState = Point3 & {
  headingDeg: number;
  pitchDeg: number;
  rollDeg: number;
  courseDeg: number;
  groundSpeedMps: number;
};

const GRAVITY = 9.80665;
/** Pitch angle in level flight, nose up. */
const TRIM_DEG = 2.2;

/**
 * Returns the flight as a function of time: a closed course at one height, banked in turns, with slight effects of wind
 * on the attitude.
 */
export function makeFlight(options: ResolvedOptions, plane: Plane): (timeS: number) => PlatformState {
  const { course, speedMps, altitudeM, seed } = options;
  const points =
    'plane' in course ? course.plane : course.places.map(([lon, lat]): PlanePoint => plane.toPlane({ lon, lat }));
  const track = closedTrack(points);
  const random = randomOf(seed);
  const startM = random() * track.lengthM;
  const [height, drift, pitch, roll] = [wander(random, 41), wander(random, 29), wander(random, 7), wander(random, 5)];

  return (timeS) => {
    const { east, north, courseDeg, curvature } = track.at(startM + speedMps * timeS);
    const point: Point = plane.toPoint(east, north);
    const bankDeg = (Math.atan((speedMps * speedMps * curvature) / GRAVITY) * 180) / Math.PI;
    return {
      lon: quantiseLon(point.lon),
      lat: quantiseLat(point.lat),
      heightM: quantiseAltitude(altitudeM + 6 * height(timeS)),
      // The nose points a few degrees into the wind.
      headingDeg: quantiseHeading(courseDeg + 3 + 0.8 * drift(timeS)),
      pitchDeg: quantisePitch(TRIM_DEG + 0.6 * pitch(timeS)),
      rollDeg: quantiseRoll(Math.max(-45, Math.min(45, bankDeg)) + 0.7 * roll(timeS)),
      courseDeg,
      groundSpeedMps: speedMps,
    };
  };
}
