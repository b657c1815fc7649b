import type { Point } from '@osprey/geo';
import type { Plane } from './local-plane.ts';
import { randomOf } from './random.ts';
import { circle, closedTrack, type PlanePoint, type Track } from './track.ts';

export type ShipClass = 'cargo' | 'ferry' | 'patrol' | 'trawler' | 'yacht' | 'boat';

/** A ship under way on a closed course. */
export type Ship = {
  /** Target number in ST 0903 and in the picture, from 1. */
  id: number;
  name: string;
  shipClass: ShipClass;
  lengthM: number;
  beamM: number;
  speedMps: number;
  track: Track;
  /** Position along the track at the start, in metres. */
  startM: number;
};

/** Position and course of a ship at one moment. */
export type ShipState = {
  ship: Ship;
  /** Middle of the ship's waterline. */
  point: Point;
  east: number;
  north: number;
  courseDeg: number;
};

type Plan = {
  name: string;
  shipClass: ShipClass;
  lengthM: number;
  beamM: number;
  knots: number;
  course: readonly PlanePoint[];
};

const MPS_PER_KNOT = 1852 / 3600;

/**
 * Plans of ships, in metres east and north of the scene's origin; with the built-in origin, all ships keep clear of the
 * coast.
 */
const PLANS: readonly Plan[] = [
  {
    name: 'ARGO TRADER',
    shipClass: 'cargo',
    lengthM: 138,
    beamM: 21,
    knots: 11.5,
    course: circle(-500, 500, 1500, 750),
  },
  { name: 'KEA EXPRESS', shipClass: 'ferry', lengthM: 86, beamM: 16, knots: 15, course: circle(350, 350, 1250, 520) },
  { name: 'SEA LARK', shipClass: 'trawler', lengthM: 26, beamM: 7.5, knots: 7, course: circle(300, -350, 480, 300) },
  { name: 'LS 618', shipClass: 'patrol', lengthM: 34, beamM: 7, knots: 21, course: circle(-300, 100, 1100, 900) },
  { name: 'MELTEMI', shipClass: 'yacht', lengthM: 16, beamM: 4.6, knots: 6, course: circle(700, 250, 420, 320) },
  { name: 'SKIFF', shipClass: 'boat', lengthM: 8, beamM: 2.6, knots: 18, course: circle(250, -150, 700, 380) },
];

/** Distance in metres by which each further group of ships with the same plans is displaced. */
const FLEET_STEP_M = 4200;

/** Creates `count` ships; the seed determines where on their courses they start. */
export function makeShips(count: number, seed: number): Ship[] {
  const random = randomOf(seed * 7919 + 17);
  return Array.from({ length: count }, (_, index) => {
    const plan = PLANS[index % PLANS.length]!;
    const fleet = Math.floor(index / PLANS.length);
    const moved = plan.course.map(
      ([east, north]): PlanePoint => [east - fleet * FLEET_STEP_M, north + fleet * FLEET_STEP_M],
    );
    const track = closedTrack(moved);
    return {
      id: index + 1,
      name: fleet === 0 ? plan.name : `${plan.name} ${fleet + 1}`,
      shipClass: plan.shipClass,
      lengthM: plan.lengthM,
      beamM: plan.beamM,
      speedMps: plan.knots * MPS_PER_KNOT,
      track,
      startM: random() * track.lengthM,
    };
  });
}

/** Returns the ship's state `timeS` seconds after the start. */
export function shipAt(ship: Ship, timeS: number, plane: Plane): ShipState {
  const { east, north, courseDeg } = ship.track.at(ship.startM + ship.speedMps * timeS);
  return { ship, point: plane.toPoint(east, north), east, north, courseDeg };
}
