import type { Footprint, TagValues } from '../footprint.ts';
import { bearingDeg, distanceM } from '../great-circle.ts';
import type { Point } from '../point.ts';
import { type Spread, spreadAlong } from './spread.ts';

/**
 * Standard deviations to assume if the stream states none: of the line of sight in degrees, and of the platform's
 * position in metres.
 */
const SIGHT_DEG = 0.1;
const PLATFORM_M = 5;
/** Error on the ground, in metres, if the line of sight is unknown. */
const UNKNOWN_M = 15;
/**
 * Sine of the smallest angle below the horizon that is used. At smaller angles, an error of the line of sight cannot be
 * converted to a length on the ground.
 */
const DEPRESSION_SINE_MIN = Math.sin((2 * Math.PI) / 180);
/** Radius, in standard deviations, of the circle that contains 90 % of a two-dimensional normal distribution. */
const SIGMAS_90 = Math.sqrt(-2 * Math.log(0.1));

/**
 * Returns the error on the ground of places computed from the telemetry of a picture: the target error estimate of ST
 * 0601 (tag 45, CE90) if stated, otherwise the usual error of angles and positions at this distance.
 */
export function pointingSpread(values: TagValues, { centre }: Pick<Footprint, 'centre'>): Spread {
  const stated = numberAt(values, 45);
  if (stated !== null && stated > 0) return spreadAlong(0, stated / SIGMAS_90, stated / SIGMAS_90);
  const [lat, lon, height] = [numberAt(values, 13), numberAt(values, 14), numberAt(values, 15)];
  if (lat === null || lon === null || height === null) return spreadAlong(0, UNKNOWN_M, UNKNOWN_M);
  const platform: Point = { lat, lon };
  const above = Math.max(0, height - (numberAt(values, 25) ?? 0));
  const range = Math.hypot(distanceM(platform, centre), above);
  const across = range * ((SIGHT_DEG * Math.PI) / 180);
  const along = across / Math.max(DEPRESSION_SINE_MIN, range > 0 ? above / range : 1);
  return spreadAlong(bearingDeg(platform, centre), Math.hypot(along, PLATFORM_M), Math.hypot(across, PLATFORM_M));
}

function numberAt(values: TagValues, tag: number): number | null {
  const value = values[tag];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
