import type { coordinateOrders, orderBases } from '@osprey/contract';

/** Two coordinates, in the order in which the log contains them. */
export type Pair = readonly [first: number, second: number];
export type Order = (typeof coordinateOrders)[number];

/** Values of one log entry that may show the order of its coordinates. */
export type Clues = {
  /** Time in microseconds from the beginning of the video. */
  timeUs: number;
  position: Pair;
  /** The take-off point stated in the same log entry; the order of its coordinates is unknown too. */
  home: Pair | null;
  /** Distance from the take-off point in metres, and ground speed in metres per second, as stated by the log. */
  homeDistanceM: number | null;
  speedMps: number | null;
  /** True if the altitude has a unit in upper case: `0.5M`. */
  hasUnit: boolean;
  published: Order;
};

/** Evidence for an order. `assumed`: the order published for this form of log, without further evidence. */
export type OrderBasis = (typeof orderBases)[number];

const LATITUDE_MAX = 90;
/** Maximum distance between a drone and its take-off point, in degrees on either axis. */
const HOME_DEGREES = 0.5;
/** Minimum distance that counts as evidence, in metres: some logs have only four decimals, which is 11 m. */
const FAR_M = 100;
const STRETCH_M = 60;
/** Maximum time between two logged positions of a stretch, in microseconds; longer pauses are not counted. */
const PAUSE_US = 5_000_000;
/** An order is accepted if it fits better than the other one by this factor, and its own error is below `FIT_SHARE`. */
const BETTER = 2;
const FIT_SHARE = 0.2;

const METRES_PER_DEGREE = 111_195;

/**
 * Collects evidence, entry by entry, for the order of two coordinates that a log does not label. Evidence in descending
 * order of strength: a value over 90 degrees, the take-off point, distances and speeds stated by the log, the unit of
 * the altitude; else the order published for this form of log.
 */
export function createOrderFinder() {
  const beyond = { position: [false, false], home: [false, false] };
  let swappedHomes = 0;
  let sameHomes = 0;
  const fits = [createAgreement(), createAgreement()];
  let stretch: { from: Pair; statedM: number; timeUs: number } | null = null;
  let hasUnit = false;
  let published: Order | null = null;

  function addHome(position: Pair, home: Pair, distanceM: number | null): void {
    beyond.home = home.map((value, axis) => beyond.home[axis] || Math.abs(value) > LATITUDE_MAX);
    const swapped: Pair = [home[1], home[0]];
    const isSame = isNear(position, home);
    const isSwapped = isNear(position, swapped);
    if (isSame && !isSwapped) sameHomes += 1;
    if (isSwapped && !isSame) swappedHomes += 1;
    if (isSame && distanceM !== null && distanceM >= FAR_M) compare(position, home, distanceM);
  }

  /** Compares the distance of two positions with the stated distance in metres, for both orders. */
  function compare(from: Pair, to: Pair, statedM: number): void {
    for (const [index, agreement] of fits.entries()) agreement.add(metresBetween(from, to, ORDERS[index]!), statedM);
  }

  function addSpeed(position: Pair, timeUs: number, speedMps: number): void {
    const seconds = stretch === null ? 0 : (timeUs - stretch.timeUs) / 1e6;
    if (stretch === null || seconds < 0 || seconds * 1e6 > PAUSE_US) {
      stretch = { from: position, statedM: 0, timeUs };
      return;
    }
    stretch = { ...stretch, statedM: stretch.statedM + seconds * speedMps, timeUs };
    if (stretch.statedM < STRETCH_M) return;
    compare(stretch.from, position, stretch.statedM);
    stretch = { from: position, statedM: 0, timeUs };
  }

  return {
    add({ position, home, homeDistanceM, speedMps, timeUs, ...clues }: Clues): void {
      published ??= clues.published;
      hasUnit ||= clues.hasUnit;
      beyond.position = position.map((value, axis) => beyond.position[axis] || Math.abs(value) > LATITUDE_MAX);
      if (home !== null) addHome(position, home, homeDistanceM);
      if (speedMps === null) stretch = null;
      else addSpeed(position, timeUs, speedMps);
    },

    /** Returns the order and the evidence for it; null if no entry had unlabelled coordinates. */
    finish(): { order: Order; basis: OrderBasis } | null {
      if (published === null) return null;
      const plain = orderOf(beyond.position);
      if (plain !== null) return { order: plain, basis: 'plausibility' };
      const home = orderOf(beyond.home);
      if (swappedHomes > sameHomes) return { order: other(home ?? 'longitudeFirst'), basis: 'home' };
      if (home !== null && sameHomes > swappedHomes) return { order: home, basis: 'home' };
      const fitting = ORDERS.find((_, index) => fits[index]!.isBetterThan(fits[1 - index]!));
      if (fitting !== undefined) return { order: fitting, basis: 'continuity' };
      return hasUnit ? { order: 'latitudeFirst', basis: 'unit' } : { order: published, basis: 'assumed' };
    },
  };
}

const ORDERS = ['latitudeFirst', 'longitudeFirst'] as const;

export const other = (order: Order): Order => (order === 'latitudeFirst' ? 'longitudeFirst' : 'latitudeFirst');

/** A coordinate over 90 degrees is a longitude; null if neither or both are over 90 degrees. */
function orderOf([first, second]: readonly (boolean | undefined)[]): Order | null {
  if (first === second) return null;
  return first ? 'longitudeFirst' : 'latitudeFirst';
}

const isNear = (a: Pair, b: Pair): boolean => a.every((value, axis) => Math.abs(value - b[axis]!) < HOME_DEGREES);

/** Distance in metres on a plane, which is accurate enough for some kilometres. */
function metresBetween(a: Pair, b: Pair, order: Order): number {
  const [lat, lon] = order === 'latitudeFirst' ? [0, 1] : [1, 0];
  const east = (b[lon]! - a[lon]!) * Math.cos((a[lat]! * Math.PI) / 180);
  return METRES_PER_DEGREE * Math.hypot(east, b[lat]! - a[lat]!);
}

function createAgreement() {
  let errorM = 0;
  let statedM = 0;
  const agreement = {
    add(metres: number, stated: number): void {
      errorM += Math.abs(metres - stated);
      statedM += stated;
    },
    share: (): number => errorM / statedM,
    isBetterThan: (one: { share: () => number }): boolean =>
      statedM >= FAR_M && agreement.share() < FIT_SHARE && BETTER * agreement.share() < one.share(),
  };
  return agreement;
}

/** Converts a pair to latitude and longitude. */
export const placeOf = ([first, second]: Pair, order: Order): { lat: number; lon: number } =>
  order === 'latitudeFirst' ? { lat: first, lon: second } : { lat: second, lon: first };
