import type { Actor } from '@osprey/contract';
import {
  countsAt,
  distanceM,
  fromEcef,
  type Position,
  pointingSpread,
  type Sighting,
  type Spread,
  toEcef,
  unpackSightings,
} from '@osprey/geo';
import type { Kysely } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { packedFootprints } from '../../media/play/covered-minutes.ts';

export const MINUTE_US = 60_000_000;

/**
 * A minute of a sensor in the coverage index. Its sightings use the sensor's own time, which `shiftUs` converts to UTC.
 */
export type SensorMinute = { sensorId: string; minute: number; shiftUs: number };

/** Returns the UTC at which a minute begins. */
export const startOf = ({ minute, shiftUs }: SensorMinute): number => minute * MINUTE_US + shiftUs;

/** The footprints of minutes, by sensor and minute, with their times in UTC. */
export async function footprintsOf(
  db: Kysely<Database>,
  actor: Actor,
  minutes: readonly SensorMinute[],
): Promise<Map<SensorMinute, Sighting[]>> {
  const packed = await packedFootprints(db, actor, minutes);
  return new Map(
    packed.map(({ minute, footprints }) => {
      const seen = unpackSightings(footprints);
      return [minute, seen.map((one) => shifted(one, minute.shiftUs))];
    }),
  );
}

const shifted = ({ endUs, ...sighting }: Sighting, shiftUs: number): Sighting => ({
  ...sighting,
  timeUs: sighting.timeUs + shiftUs,
  ...(endUs !== undefined && { endUs: endUs + shiftUs }),
});

/** Returns a sensor's last sighting at a moment, if it is recent enough to count and shows the picture; null if not. */
export function sightingAt(sightings: readonly Sighting[], timeUs: number): Sighting | null {
  let [low, high] = [0, sightings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sightings[middle]!.timeUs <= timeUs) low = middle + 1;
    else high = middle;
  }
  const last = sightings[low - 1];
  return last && !last.approximate && countsAt(last, timeUs) ? last : null;
}

/** Converts a sighting to the form that the geometry of ships takes. */
export function viewOf({ corners, platform }: Sighting): { corners: [Place, Place, Place, Place]; pointing: Spread } {
  const [a, b, c, d] = corners.map(([lon, lat]) => ({ lon, lat })) as [Place, Place, Place, Place];
  const values = platform ? { 13: platform[1], 14: platform[0], 15: platform[2] } : {};
  return { corners: [a, b, c, d], pointing: pointingSpread(values, { centre: between(between(a, c), between(b, d)) }) };
}
type Place = { lon: number; lat: number };

/**
 * Returns the distance from the platform to a place at sea level, in metres; null if the platform's position is
 * unknown.
 */
export function rangeOf({ platform }: Sighting, place: Place): number | null {
  if (!platform) return null;
  const from = toEcef({ lon: platform[0], lat: platform[1], heightM: platform[2] });
  const to = toEcef({ ...place, heightM: 0 });
  return Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2]);
}

/** Returns the distance between the midpoints of the picture's left and right edges, in metres. */
export function widthOf({ corners }: Sighting): number {
  const [a, b, c, d] = corners.map(([lon, lat]: Position) => ({ lon, lat })) as [Place, Place, Place, Place];
  return distanceM(between(a, d), between(b, c));
}

function between(one: Place, other: Place): Place {
  const [a, b] = [toEcef({ ...one, heightM: 0 }), toEcef({ ...other, heightM: 0 })];
  return fromEcef([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2]);
}
