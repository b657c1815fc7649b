/** Number of units per degree in which coordinates are stored; a unit is 1/10,000 of a minute. */
export const DEGREE_PARTS = 600_000;

export type Place = {
  lat: number;
  lon: number;
  time: number;
  /** A later position that does not fit this one and has not been confirmed by a further position yet. */
  doubtful?: Place;
};

/** Maximum plausible speed, above that of any ship. Search and rescue aircraft are not checked. */
const KNOTS_MAX = 100;
/**
 * Tolerance in seconds. Two receivers, or one with an inaccurate clock, may give the same position times some seconds
 * apart.
 */
const CLOCK_SECONDS = 10;
const METRES_PER_MINUTE = 1852;
/** Whether the MMSI is that of a search and rescue aircraft, 111MIDxxx. */
const isAircraft = (mmsi: number): boolean => Math.floor(mmsi / 1_000_000) === 111;

/** Whether a station cannot have moved from one place to the other in the time between (trust.md, live input). */
export function suspectJump(before: Place, now: Place & { mmsi: number }): boolean {
  const minutesNorth = ((now.lat - before.lat) / DEGREE_PARTS) * 60;
  const across = ((((now.lon - before.lon) / DEGREE_PARTS + 540) % 360) - 180) * 60;
  const minutesEast = across * Math.cos((now.lat / DEGREE_PARTS) * (Math.PI / 180));
  const metres = Math.hypot(minutesNorth, minutesEast) * METRES_PER_MINUTE;
  const seconds = Math.abs(now.time - before.time) / 1e6 + CLOCK_SECONDS;
  const knots = isAircraft(now.mmsi) ? 10 * KNOTS_MAX : KNOTS_MAX;
  return metres > (knots * METRES_PER_MINUTE * seconds) / 3600;
}
