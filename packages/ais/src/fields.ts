import type { Dimensions, PositionMode } from './messages.ts';
import type { Payload } from './payload.ts';

/** Returns the value of a field, or null if it is the value for "not available". */
export const orNull = (value: number, none: number): number | null => (value === none ? null : value);

/** Converts NaN to null. */
export const nullOfNan = (value: number): number | null => (Number.isNaN(value) ? null : value);

const POSITION_MODES: readonly PositionMode[] = ['none', 'manual', 'deadReckoning', 'inoperative'];

/**
 * Returns the origin of a position from the time stamp of its report, which states it from 60 on (M.1371-5, Annex 8, §
 * 3.1).
 */
export const positionMode = (stamp: number): PositionMode => (stamp < 60 ? 'sensor' : POSITION_MODES[stamp - 60]!);

/** Field units per degree: ten-thousandths, thousandths and tenths of a minute. */
export const FINE = 600_000;
export const MIDDLE = 60_000;
export const COARSE = 600;

/** Converts a field to degrees; NaN if out of range, since 91 and 181 mean "not available". */
export const degrees = (value: number, scale: number, limit: number): number => {
  const angle = value / scale;
  return angle >= -limit && angle <= limit ? angle : Number.NaN;
};

/** Returns the position; both coordinates are null if either is not available. */
export function place(
  longitude: number,
  latitude: number,
  scale: number,
): { latitude: number | null; longitude: number | null } {
  const lon = degrees(longitude, scale, 180);
  const lat = degrees(latitude, scale, 90);
  return Number.isNaN(lon + lat) ? { latitude: null, longitude: null } : { latitude: lat, longitude: lon };
}

/** Converts a course in tenths of a degree; NaN from 360° on. */
export const course = (value: number): number => (value < 3600 ? value / 10 : Number.NaN);
export const heading = (value: number): number => (value < 360 ? value : Number.NaN);
/** Converts a speed in tenths of a knot; 1023 means "not available". */
export const speed = (value: number): number => (value < 1023 ? value / 10 : Number.NaN);

/**
 * Reads the distances from the antenna to the sides of the ship, in 9, 9, 6 and 6 bits (M.1371-5, Annex 8, figure 41).
 */
export function dimensions(payload: Payload, at: number): Dimensions | null {
  const toBow = payload.uint(at, 9);
  const toStern = payload.uint(at + 9, 9);
  const toPort = payload.uint(at + 18, 6);
  const toStarboard = payload.uint(at + 24, 6);
  const length = toBow + toStern;
  const beam = toPort + toStarboard;
  if (length === 0 && beam === 0) return null;
  // If A and C are zero but B and D are not, only length and beam are known.
  const referenceKnown = toBow !== 0 || toPort !== 0;
  return { toBow, toStern, toPort, toStarboard, length, beam, referenceKnown };
}
