import { type Point, RADIANS, wrapBearing } from '../point.ts';
import type { HullSizes } from './hull.ts';
import { type Metres, planeAround } from './local-plane.ts';
import type { VesselReport } from './motion.ts';

/** Test support: a ship whose true state is known for every second, counted from 0. */
export type TrueShip = {
  mmsi: number;
  sizes: HullSizes;
  accurate: boolean;
  /** State for each second; `at` is the position of the antenna, in metres from the origin of the scene. */
  track: { at: Metres; course: number; heading: number; knots: number; turn: number }[];
};

const MPS_PER_KNOT = 1852 / 3600;
const STEP_S = 1;

/** Test support: a generator of pseudo-random numbers from 0 to 1 for a fixed seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Test support: a normally distributed random number (Box-Muller). */
export const normalOf = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

type Scene = { ships: number; seconds: number; halfM: number; random: () => number };

/**
 * Test support: simulated ships that keep course and speed with the yaw of a helmsman, and sometimes turn by 10 to 120
 * degrees at 5 to 40 degrees per minute, or change speed by up to 40 %. Some are at anchor. Antennas are anywhere
 * between bow and stern.
 */
export function trueShips({ ships, seconds, halfM, random }: Scene): TrueShip[] {
  return Array.from({ length: ships }, (_, index): TrueShip => {
    const length = 12 + random() * random() * 320;
    const beam = Math.max(4, length / 6.5);
    const toBow = Math.round(length * (0.1 + 0.85 * random()));
    const toPort = Math.round(beam * random());
    const sizes = {
      toBow,
      toStern: Math.round(length) - toBow,
      toPort,
      toStarboard: Math.round(beam) - toPort,
    };
    const isStanding = random() < 0.1;
    let knots = isStanding ? 0 : 3 + random() * 17;
    let requestedKnots = knots;
    let course = random() * 360;
    let requestedTurn = 0;
    let rate = 0;
    let yaw = 0;
    let [east, north] = [(random() * 2 - 1) * halfM, (random() * 2 - 1) * halfM];
    const track: TrueShip['track'] = [];
    for (let second = 0; second <= seconds; second += STEP_S) {
      if (!isStanding && requestedTurn === 0 && random() < 1 / 700) {
        requestedTurn = (10 + 110 * random()) * (random() < 0.5 ? -1 : 1);
        rate = (5 + 35 * random()) / 60;
      }
      if (!isStanding && random() < 1 / 900) requestedKnots = Math.max(2, knots * (0.6 + 0.8 * random()));
      const turn = Math.sign(requestedTurn) * Math.min(rate * STEP_S, Math.abs(requestedTurn));
      requestedTurn -= turn;
      yaw = yaw * 0.97 + normalOf(random) * 0.1;
      course = wrapBearing(course + turn + yaw * 0.1);
      knots += Math.sign(requestedKnots - knots) * Math.min(0.04, Math.abs(requestedKnots - knots));
      const swing = isStanding ? 0.05 * normalOf(random) : 0;
      east += knots * MPS_PER_KNOT * Math.sin(course * RADIANS) * STEP_S + swing;
      north += knots * MPS_PER_KNOT * Math.cos(course * RADIANS) * STEP_S + swing;
      track.push({ at: [east, north], course, heading: wrapBearing(course + yaw), knots, turn: turn * 60 });
    }
    return { mmsi: 201_000_000 + index, sizes, accurate: random() < 0.5, track };
  });
}

/**
 * Test support: the report of a ship at a given second. If the ship claims high accuracy, 95 % of its positions are
 * within 10 m; otherwise the standard deviation is 10 m.
 */
export function reportOf(ship: TrueShip, second: number, origin: Point, random: () => number): VesselReport {
  const { at, course, heading, knots, turn } = ship.track[second]!;
  const sigma = ship.accurate ? 10 / Math.sqrt(-2 * Math.log(0.05)) : 10;
  const noisy: Metres = [at[0] + sigma * normalOf(random), at[1] + sigma * normalOf(random)];
  const isStanding = knots === 0;
  return {
    ...planeAround(origin).toPlace(noisy),
    timeUs: second * 1e6,
    sogKnots: Math.max(0, Math.round((knots + 0.1 * normalOf(random)) * 10) / 10),
    cogDeg: isStanding ? random() * 360 : wrapBearing(Math.round((course + normalOf(random)) * 10) / 10),
    headingDeg: Math.round(heading) % 360,
    turnDegMin: Math.round(turn),
    accurate: ship.accurate,
    standing: isStanding,
  };
}
