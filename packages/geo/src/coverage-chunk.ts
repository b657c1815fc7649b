import { meets, type Shape, viewOf } from './coverage-meets.ts';
import { UNITS, type UnitsTest } from './coverage-units.ts';
import type { Position } from './point.ts';

/** Footprint and platform position of one telemetry set, with its time in the sensor's own clock. */
export type Sighting = {
  timeUs: number;
  /** Ground corners of the picture: upper left, upper right, lower right, lower left. */
  corners: readonly [Position, Position, Position, Position];
  /** Longitude, latitude and height in metres; null if the set has no platform position. */
  platform: readonly [lon: number, lat: number, heightM: number] | null;
  /** Present if the corners are only a square around the frame centre (`approximateGroundOf`), and not the picture. */
  approximate?: true;
  /**
   * End of the recording, or of its part before a gap, if that is near. The sighting does not count after this time.
   */
  endUs?: number;
};

/** A second [second, second + 1) in which a shape was seen, and the first sighting that shows it. */
export type CoveredSecond = { second: number; by: Sighting };

/** Units per metre in which heights are stored: decimetres. */
const HEIGHT_UNITS = 10;
/** Maximum number of seconds for which a set remains valid; the next set ends it earlier. */
export const HOLD_SECONDS = 2;

/** Whether a sighting may still count at a moment, if no later one ends it. */
export const isHeldAt = (timeUs: number, momentUs: number): boolean =>
  momentUs >= timeUs && momentUs - timeUs <= HOLD_SECONDS * 1e6;

const toUnits = (degrees: number): number => Math.round(degrees * UNITS);

/**
 * Rounds the numbers of a sighting to those that `unpackSightings` returns, so that tests before and after packing use
 * the same numbers.
 */
export function rounded({ timeUs, corners, platform, approximate, endUs }: Sighting): Sighting {
  const roundedPosition = ([lon, lat]: Position): Position => [toUnits(lon) / UNITS, toUnits(lat) / UNITS];
  return {
    timeUs,
    corners: [
      roundedPosition(corners[0]),
      roundedPosition(corners[1]),
      roundedPosition(corners[2]),
      roundedPosition(corners[3]),
    ],
    platform: platform && [
      ...roundedPosition([platform[0], platform[1]]),
      Math.round(platform[2] * HEIGHT_UNITS) / HEIGHT_UNITS,
    ],
    ...(approximate && { approximate }),
    ...(endUs !== undefined && { endUs: Math.round(endUs) }),
  };
}

/** Whether a sighting still counts at a moment, if it is the last sighting up to that moment. */
export const countsAt = ({ timeUs, endUs = Number.POSITIVE_INFINITY }: Sighting, momentUs: number): boolean =>
  momentUs === timeUs || (momentUs < endUs && momentUs - timeUs <= HOLD_SECONDS * 1e6);

/**
 * Number of values of a sighting, in whole units: longitude and latitude of each corner (`CORNER_VALUES`), longitude
 * and latitude of the platform, and its height.
 */
const VALUES = 11;
const CORNER_VALUES = 8;
/**
 * Bits of the flags number that precedes the values of a sighting. Rows written by an earlier version lack `TOGETHER`
 * and `ENDS`.
 */
const PLACED = 1;
const TOGETHER = 2;
const ENDS = 4;
const APPROXIMATE = 8;

/**
 * Packs sightings, which must be in order of time, into bytes: each as the differences from the previous one. Since
 * corners move together, the differences of the second to fourth corner are stored relative to that of the first.
 */
export function packSightings(sightings: readonly Sighting[]): Uint8Array {
  const bytes: number[] = [];
  const put = (value: number) => {
    let rest = value < 0 ? -value * 2 - 1 : value * 2;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  };
  let [timeUs, stepUs] = [0, 0];
  let before = new Array<number>(VALUES).fill(0);
  for (const sighting of sightings) {
    const step = sighting.timeUs - timeUs;
    put(step - stepUs);
    [timeUs, stepUs] = [sighting.timeUs, step];
    const { platform, approximate, endUs } = sighting;
    put(TOGETHER + (platform ? PLACED : 0) + (endUs === undefined ? 0 : ENDS) + (approximate ? APPROXIMATE : 0));
    if (endUs !== undefined) put(endUs - timeUs);
    const values = sighting.corners.flat().map(toUnits);
    if (platform) values.push(toUnits(platform[0]), toUnits(platform[1]), Math.round(platform[2] * HEIGHT_UNITS));
    const moved = values.map((value, at) => value - before[at]!);
    for (const [at, value] of moved.entries()) put(isOtherCorner(at) ? value - moved[at % 2]! : value);
    before = [...values, ...before.slice(values.length)];
  }
  return Uint8Array.from(bytes);
}

const isOtherCorner = (at: number): boolean => at >= 2 && at < CORNER_VALUES;

/** Unpacked sightings, in columns: creating an object for each would take longer than comparing it. */
type SightingColumns = {
  count: number;
  timesUs: Float64Array;
  /** End times; Infinity for a sighting without one. */
  endsUs: Float64Array;
  /** `VALUES` numbers per sighting. The platform's values are valid only if `placed` is set for the sighting. */
  units: Float64Array;
  placed: Uint8Array;
  approximate: Uint8Array;
};

/** @throws RangeError if the bytes end too soon */
function unpackColumns(bytes: Uint8Array): SightingColumns {
  // Upper bound of the number of sightings: each has at least one byte for its time, its flags and each value of its
  // corners.
  const maximum = Math.floor(bytes.length / (2 + CORNER_VALUES)) + 1;
  const columns = {
    ...{
      timesUs: new Float64Array(maximum),
      units: new Float64Array(maximum * VALUES),
      placed: new Uint8Array(maximum),
    },
    endsUs: new Float64Array(maximum).fill(Number.POSITIVE_INFINITY),
    approximate: new Uint8Array(maximum),
    count: 0,
  };
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let weight = 1; ; weight *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('A chunk of footprints ends too soon');
      if (byte >= 128) {
        value += (byte - 128) * weight;
        continue;
      }
      value += byte * weight;
      // Most differences fit into 31 bits, for which integer arithmetic is fastest.
      if (value < 0x80000000) return (value >>> 1) ^ -(value & 1);
      return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    }
  };
  const { timesUs, endsUs, units, placed } = columns;
  let [timeUs, stepUs] = [0, 0];
  for (let own = 0; at < bytes.length; own += VALUES) {
    stepUs += readVarint();
    timeUs += stepUs;
    const flags = readVarint();
    if ((flags & ENDS) !== 0) endsUs[columns.count] = timeUs + readVarint();
    if ((flags & APPROXIMATE) !== 0) columns.approximate[columns.count] = 1;
    // Values that a sighting omits keep those of the previous sighting.
    if (own > 0) units.copyWithin(own, own - VALUES, own);
    const [lon, lat] = [readVarint(), readVarint()];
    units[own]! += lon;
    units[own + 1]! += lat;
    const isTogether = flags >= TOGETHER;
    for (let value = own + 2; value < own + CORNER_VALUES; value += 2) {
      units[value]! += isTogether ? lon + readVarint() : readVarint();
      units[value + 1]! += isTogether ? lat + readVarint() : readVarint();
    }
    const isPlaced = flags % 2 === PLACED;
    for (let value = own + CORNER_VALUES; isPlaced && value < own + VALUES; value += 1) units[value]! += readVarint();
    timesUs[columns.count] = timeUs;
    placed[columns.count] = isPlaced ? 1 : 0;
    columns.count += 1;
  }
  return columns;
}

/** Returns one unpacked sighting as an object. */
function sightingIn({ timesUs, endsUs, units, placed, approximate }: SightingColumns, index: number): Sighting {
  const position = (value: number): Position => {
    const at = index * VALUES + value;
    return [units[at]! / UNITS, units[at + 1]! / UNITS];
  };
  return {
    timeUs: timesUs[index]!,
    corners: [position(0), position(2), position(4), position(6)],
    platform: placed[index] === 1 ? [...position(8), units[index * VALUES + 10]! / HEIGHT_UNITS] : null,
    ...(approximate[index] === 1 && { approximate: true }),
    ...(endsUs[index]! < Number.POSITIVE_INFINITY && { endUs: endsUs[index]! }),
  };
}

/** Unpacks sightings. @throws RangeError if the bytes end too soon */
export function unpackSightings(bytes: Uint8Array): Sighting[] {
  const columns = unpackColumns(bytes);
  return Array.from({ length: columns.count }, (_, index) => sightingIn(columns, index));
}

type Bounds = { fromSecond: number; toSecond: number };

/**
 * Returns the seconds from `fromSecond` up to but excluding `toSecond` in which a shape was seen. A shape is seen in a
 * second if it intersects the footprint of any sighting in that second, or of the last sighting at most 2 s before it;
 * a sighting does not count for seconds that begin at or after its end. Footprints larger than half the earth have no
 * definite inside and therefore intersect nothing.
 */
export const coveredSeconds = (sightings: readonly Sighting[], shape: Shape, bounds: Bounds): CoveredSecond[] =>
  secondsWhere(sightings, (sighting) => isIntersecting(sighting, shape), bounds);

/** Returns the seconds in which any sighting passes a test. */
export function secondsWhere(
  sightings: readonly Sighting[],
  isTarget: (sighting: Sighting) => boolean,
  bounds: Bounds,
): CoveredSecond[] {
  const isIntersecting = (index: number): boolean => isTarget(sightings[index]!);
  return secondsIntersecting(timesOf(sightings), isIntersecting, bounds).map(({ second, index }) => ({
    second,
    by: sightings[index]!,
  }));
}

/**
 * Yields for each sighting the first and the last second for which it counts (both inclusive), limited to `fromSecond`
 * up to but excluding `toSecond`.
 */
export function* secondsOf(
  sightings: readonly Sighting[],
  { fromSecond, toSecond }: Bounds,
): Generator<{ sighting: Sighting; first: number; last: number }> {
  const later = laterTimes(timesOf(sightings));
  for (const [index, sighting] of sightings.entries()) {
    const { timeUs } = sighting;
    const end = lastSecondOf(timeUs, later[index]!);
    const [first, last] = [Math.max(Math.floor(timeUs / 1e6), fromSecond), Math.min(end, toSecond - 1)];
    if (first <= last) yield { sighting, first, last };
  }
}

type Times = { timesUs: ArrayLike<number>; endsUs: ArrayLike<number> };

const timesOf = (sightings: readonly Sighting[]): Times => ({
  timesUs: sightings.map(({ timeUs }) => timeUs),
  endsUs: sightings.map(({ endUs }) => endUs ?? Number.POSITIVE_INFINITY),
});

/**
 * Returns the time up to which each sighting counts: the time of the next sighting, or the microsecond before its own
 * end. Sightings of equal time belong to the same set or to overlapping files, so none of them ends another.
 */
function laterTimes({ timesUs, endsUs }: Times): Float64Array {
  const later = new Float64Array(timesUs.length);
  let [nextUs, ownUs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let index = timesUs.length - 1; index >= 0; index -= 1) {
    if (timesUs[index] !== ownUs) [nextUs, ownUs] = [ownUs, timesUs[index]!];
    later[index] = Math.min(nextUs, endsUs[index]! - 1);
  }
  return later;
}

/**
 * Returns the last second for which a sighting counts: it counts up to the time of the next sighting, but for at most
 * HOLD_SECONDS.
 */
function lastSecondOf(timeUs: number, nextUs: number): number {
  const own = Math.floor(timeUs / 1e6);
  const held = Math.min(own + HOLD_SECONDS, Math.ceil(nextUs / 1e6));
  return Math.max(own, held * 1e6 > nextUs ? held - 1 : held);
}

/** A covered second; `by` unpacks the first sighting that shows the shape. */
export type PackedSecond = { second: number; by: () => Sighting };

/**
 * Returns the seconds of packed sightings that pass a test, in ascending order, without creating an object for each
 * sighting.
 *
 * @throws RangeError if the bytes end too soon
 */
export function coveredSecondsIn(bytes: Uint8Array, intersects: UnitsTest, bounds: Bounds): PackedSecond[] {
  const columns = unpackColumns(bytes);
  const { timesUs, endsUs, units, count } = columns;
  const isIntersecting = (index: number): boolean => intersects(units, index * VALUES);
  const times = { timesUs: timesUs.subarray(0, count), endsUs: endsUs.subarray(0, count) };
  return secondsIntersecting(times, isIntersecting, bounds).map(({ second, index }) => ({
    second,
    by: () => sightingIn(columns, index),
  }));
}

/**
 * Returns the seconds for which an intersecting sighting counts, in ascending order, each with the first such sighting.
 */
function secondsIntersecting(
  times: Times,
  isIntersecting: (index: number) => boolean,
  { fromSecond, toSecond }: Bounds,
): { second: number; index: number }[] {
  const { timesUs } = times;
  const later = laterTimes(times);
  const found: { second: number; index: number }[] = [];
  // Sightings are in order of time, so later ones cannot add a second before the last one found.
  let next = fromSecond;
  for (let index = 0; index < timesUs.length; index += 1) {
    const last = Math.min(lastSecondOf(timesUs[index]!, later[index]!), toSecond - 1);
    let second = Math.max(Math.floor(timesUs[index]! / 1e6), next);
    if (second > last || !isIntersecting(index)) continue;
    for (; second <= last; second += 1) found.push({ second, index });
    next = second;
  }
  return found;
}

function isIntersecting({ corners }: Sighting, shape: Shape): boolean {
  const view = viewOf(corners);
  return view !== null && meets(view, shape);
}
