import {
  type Attitude,
  type Corners,
  distanceM,
  type FieldOfView,
  type Point,
  type Projector,
  projector,
  toEcef,
} from '@osprey/geo';
import { makeFlight, type PlatformState } from './flight.ts';
import { makeAim, pointAt } from './gimbal.ts';
import { localPlane, type Plane } from './local-plane.ts';
import type { ResolvedOptions } from './options.ts';
import { quantiseFov } from './quantise.ts';
import { randomOf, wander } from './random.ts';
import { makeShips, type Ship, type ShipState, shipAt } from './ships.ts';

/** The complete state at one moment; picture and metadata are both derived from it. */
export type Moment = {
  timeUs: number;
  /** Time since the start, in seconds. */
  timeS: number;
  platform: PlatformState;
  attitude: Attitude;
  view: FieldOfView;
  camera: Projector;
  corners: Corners;
  centre: Point;
  slantRangeM: number;
  groundRangeM: number;
  ships: ShipState[];
  /** Id of the ship that the camera follows, if any. */
  trackedId: number | null;
};

export type Model = {
  plane: Plane;
  ships: readonly Ship[];
  at(timeUs: number): Moment;
};

/** Points of interest in the built-in scene, in metres east and north of its origin: the cape and the bay. */
const COAST_VIEWS: readonly (readonly [number, number])[] = [
  [2290, 470],
  [2610, -1200],
];

/** Returns the flight, its camera and the ships as a function of time only. */
export function makeModel(options: ResolvedOptions): Model {
  const plane = localPlane(options.origin);
  const ships = makeShips(options.ships, options.seed);
  const flight = makeFlight(options, plane);
  const random = randomOf(options.seed + 4711);
  const aim = makeAim(interestsOf(ships.length), random);
  const zoom = wander(random, 53);

  const at = (timeUs: number): Moment => {
    const timeS = (timeUs - options.startUs) / 1e6;
    const platform = flight(timeS);
    const states = ships.map((ship) => shipAt(ship, timeS, plane));
    const requested = aim(timeS, states);
    const attitude = pointAt(platform, plane.toPoint(requested.east, requested.north));
    const view = viewOf(options, options.fovDeg * requested.zoom * (0.9 + 0.1 * zoom(timeS)));
    const camera = projector(platform, attitude, view, 0);
    const [a, b, c, d] = [camera.toGround(0, 0), camera.toGround(1, 0), camera.toGround(1, 1), camera.toGround(0, 1)];
    const centre = camera.toGround(0.5, 0.5);
    if (!a || !b || !c || !d || !centre)
      throw new Error('The camera saw the horizon: fly higher, nearer or with a narrower field of view');
    const [from, to] = [toEcef(platform), toEcef({ ...centre, heightM: 0 })];
    return {
      timeUs,
      timeS,
      platform,
      attitude,
      view,
      camera,
      corners: [a, b, c, d],
      centre,
      slantRangeM: Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2]),
      groundRangeM: distanceM(platform, centre),
      ships: states,
      trackedId: requested.shipId,
    };
  };
  return { plane, ships, at };
}

/** Returns the camera's targets: each ship in turn, with a view of the coast after every second one. */
function interestsOf(ships: number): (number | readonly [number, number])[] {
  const all: (number | readonly [number, number])[] = [];
  for (let ship = 0; ship < Math.min(ships, 6); ship += 1) {
    all.push(ship);
    if (ship % 2 === 1) all.push(COAST_VIEWS[(ship >> 1) % COAST_VIEWS.length]!);
  }
  return all.length > 0 ? all : [...COAST_VIEWS];
}

/** Returns the field of view for square pixels. */
function viewOf({ width, height }: ResolvedOptions, horizontalDeg: number): FieldOfView {
  const half = Math.tan((horizontalDeg * Math.PI) / 360);
  return {
    horizontalDeg: quantiseFov(horizontalDeg),
    verticalDeg: quantiseFov((Math.atan((half * height) / width) * 360) / Math.PI),
  };
}
