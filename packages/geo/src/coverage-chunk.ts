import { meets, type Shape, shapeOf } from './coverage-meets.ts';
import type { Position } from './point.ts';

/** Footprint and platform of one telemetry set, in own time of its sensor. */
export type Sighting = {
  timeUs: number;
  /** Upper left, upper right, lower right, lower left of the picture. */
  corners: readonly [Position, Position, Position, Position];
  /** Longitude, latitude, height in metres; null where the set does not say. */
  platform: readonly [lon: number, lat: number, heightM: number] | null;
};

/** A second [second, second + 1) in which a shape was seen, and the sighting that shows it first. */
export type SeenSecond = { second: number; by: Sighting };

/** Degrees are kept to 11 mm, heights to a decimetre. */
const UNITS = 1e7;
const HEIGHT_UNITS = 10;
/** The last set holds until the next one, at most this long. */
export const HELD_SECONDS = 2;

const toUnits = (degrees: number): number => Math.round(degrees * UNITS);

/** Rounded as `unpackSightings` gives it: the predicate must see the same numbers everywhere. */
export function rounded({ timeUs, corners, platform }: Sighting): Sighting {
  const kept = ([lon, lat]: Position): Position => [toUnits(lon) / UNITS, toUnits(lat) / UNITS];
  return {
    timeUs,
    corners: [kept(corners[0]), kept(corners[1]), kept(corners[2]), kept(corners[3])],
    platform: platform && [...kept([platform[0], platform[1]]), Math.round(platform[2] * HEIGHT_UNITS) / HEIGHT_UNITS],
  };
}

/** Sightings in the order of their time as bytes: each as its differences from the one before. */
export function packSightings(sightings: readonly Sighting[]): Uint8Array {
  const bytes: number[] = [];
  const put = (value: number) => {
    let rest = value < 0 ? -value * 2 - 1 : value * 2;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  };
  let [timeUs, stepUs] = [0, 0];
  let before = new Array<number>(11).fill(0);
  for (const sighting of sightings) {
    const step = sighting.timeUs - timeUs;
    put(step - stepUs);
    [timeUs, stepUs] = [sighting.timeUs, step];
    const { platform } = sighting;
    put(platform ? 1 : 0);
    const values = sighting.corners.flat().map(toUnits);
    if (platform) values.push(toUnits(platform[0]), toUnits(platform[1]), Math.round(platform[2] * HEIGHT_UNITS));
    for (const [at, value] of values.entries()) put(value - before[at]!);
    before = [...values, ...before.slice(values.length)];
  }
  return Uint8Array.from(bytes);
}

/** @throws RangeError where the bytes end too soon */
export function unpackSightings(bytes: Uint8Array): Sighting[] {
  let at = 0;
  const take = (): number => {
    let [value, weight] = [0, 1];
    for (;;) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('A chunk of footprints ends too soon');
      value += (byte & 127) * weight;
      if (byte < 128) return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
      weight *= 128;
    }
  };
  const sightings: Sighting[] = [];
  let [timeUs, stepUs] = [0, 0];
  const values = new Array<number>(11).fill(0);
  const position = (index: number): Position => [values[index]! / UNITS, values[index + 1]! / UNITS];
  while (at < bytes.length) {
    stepUs += take();
    timeUs += stepUs;
    const hasPlatform = take() === 1;
    for (let index = 0; index < (hasPlatform ? 11 : 8); index += 1) values[index]! += take();
    sightings.push({
      timeUs,
      corners: [position(0), position(2), position(4), position(6)],
      platform: hasPlatform ? [...position(8), values[10]! / HEIGHT_UNITS] : null,
    });
  }
  return sightings;
}

type Bounds = { fromSecond: number; toSecond: number };

/**
 * The seconds from `fromSecond` to before `toSecond` in which a shape was seen: the footprint of any sighting in the
 * second meets it, or that of the last sighting at most 2 s before the second. Footprints larger than half the earth
 * have no certain inside, and meet nothing.
 */
export const secondsSeen = (sightings: readonly Sighting[], shape: Shape, bounds: Bounds): SeenSecond[] =>
  secondsWhere(sightings, (sighting) => isMet(sighting, shape), bounds);

/** The same by any test of a sighting. */
export function secondsWhere(
  sightings: readonly Sighting[],
  isSought: (sighting: Sighting) => boolean,
  bounds: Bounds,
): SeenSecond[] {
  const seen = new Map<number, Sighting>();
  for (const { sighting, first, last } of secondsOf(sightings, bounds)) {
    if (!isSought(sighting)) continue;
    for (let second = first; second <= last; second += 1) if (!seen.has(second)) seen.set(second, sighting);
  }
  return [...seen].map(([second, by]) => ({ second, by })).sort((a, b) => a.second - b.second);
}

/** The seconds that each sighting counts for, both ends included, within those from `fromSecond` to before `toSecond`. */
export function* secondsOf(
  sightings: readonly Sighting[],
  { fromSecond, toSecond }: Bounds,
): Generator<{ sighting: Sighting; first: number; last: number }> {
  for (const [index, sighting] of sightings.entries()) {
    const own = Math.floor(sighting.timeUs / 1e6);
    const next = sightings[index + 1];
    // A sighting counts for each second up to the next sighting, and for HELD_SECONDS at most.
    const held = next === undefined ? own + HELD_SECONDS : Math.min(own + HELD_SECONDS, Math.ceil(next.timeUs / 1e6));
    const end = Math.max(own, next !== undefined && held * 1e6 > next.timeUs ? held - 1 : held);
    const [first, last] = [Math.max(own, fromSecond), Math.min(end, toSecond - 1)];
    if (first <= last) yield { sighting, first, last };
  }
}

function isMet({ corners }: Sighting, shape: Shape): boolean {
  try {
    return meets(shapeOf(corners), shape);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
