import {
  type Attitude,
  apply,
  cross,
  type Matrix,
  multiply,
  northEastDown,
  type Point,
  rotation,
  toEcef,
  transpose,
  unit,
} from '@osprey/geo';
import type { PlatformState } from './flight.ts';
import { wander } from './random.ts';
import type { ShipState } from './ships.ts';

/** Seconds for which the camera stays with one target (`DWELL_S`), and that it takes to turn to the next (`SLEW_S`). */
const DWELL_S = 15;
const SLEW_S = 5;

/** Target of the camera, in metres east and north of the scene's origin. */
export type Aim = {
  east: number;
  north: number;
  shipId: number | null;
  /** Share of the widest field of view; smaller for small ships, which are shown larger. */
  zoom: number;
};

/**
 * Returns a function that gives the camera's target at a time: each point of interest in turn, either a ship or a place
 * on the coast.
 */
export function makeAim(interests: readonly (number | readonly [number, number])[], random: () => number) {
  const [driftEast, driftNorth] = [wander(random, 11), wander(random, 13)];
  return (timeS: number, ships: readonly ShipState[]): Aim => {
    const period = DWELL_S + SLEW_S;
    const turn = Math.floor(timeS / period);
    const share = smooth((timeS - turn * period - DWELL_S) / SLEW_S);
    const [now, next] = [placeOf(turn), placeOf(turn + 1)];
    return {
      east: now.east + share * (next.east - now.east) + 6 * driftEast(timeS),
      north: now.north + share * (next.north - now.north) + 6 * driftNorth(timeS),
      shipId: share === 0 ? now.shipId : null,
      zoom: now.zoom + share * (next.zoom - now.zoom),
    };

    function placeOf(number: number): Aim {
      const interest = interests[number % interests.length]!;
      if (typeof interest !== 'number') return { east: interest[0], north: interest[1], shipId: null, zoom: 1 };
      const { east, north, ship } = ships[interest]!;
      return { east, north, shipId: ship.id, zoom: Math.min(1, 0.3 + ship.lengthM / 150) };
    }
  };
}

/** Rises smoothly from 0 to 1. */
function smooth(share: number): number {
  const bounded = Math.max(0, Math.min(1, share));
  return bounded * bounded * (3 - 2 * bounded);
}

/** Returns the sensor angles (tags 18-20) that point the camera at a place on the sea with the picture upright. */
export function pointAt(platform: PlatformState, aim: Point): Attitude {
  const from = toEcef(platform);
  const to = toEcef({ ...aim, heightM: 0 });
  const ahead = unit(apply(northEastDown(platform), [to[0] - from[0], to[1] - from[1], to[2] - from[2]]));
  const right = unit(cross([0, 0, 1], ahead));
  const camera: Matrix = transpose([ahead, right, cross(ahead, right)]);
  const { headingDeg, pitchDeg, rollDeg } = platform;
  const [forward, side, down] = transpose(multiply(transpose(rotation(headingDeg, pitchDeg, rollDeg)), camera));
  const degrees = 180 / Math.PI;
  return {
    headingDeg,
    pitchDeg,
    rollDeg,
    azimuthDeg: (Math.atan2(forward[1], forward[0]) * degrees + 360) % 360,
    elevationDeg: -Math.asin(forward[2]) * degrees,
    sensorRollDeg: (Math.atan2(side[2], down[2]) * degrees + 360) % 360,
  };
}
