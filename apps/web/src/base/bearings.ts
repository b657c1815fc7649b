import { type Point, wrapBearing } from '@osprey/geo';
import { drawAgain, type Measured, unitsNow } from './units.ts';

type Declination = typeof import('@osprey/geo/magnetic').declinationDeg;

let declinationDeg: Declination | null = null;

let fetched: Promise<void> | null = null;

/**
 * Loads the magnetic model, which only users with magnetic bearings need. Until it is loaded, bearings are true. Every
 * bearing that is formatted may call this, so all calls share one download.
 */
export function loadMagnetic(): Promise<void> {
  fetched ??= fetchMagnetic();
  return fetched;
}

async function fetchMagnetic(): Promise<void> {
  ({ declinationDeg } = await import('@osprey/geo/magnetic'));
  drawAgain();
}

/**
 * Returns a true bearing in degrees, converted to magnetic if the user has chosen that. It stays true if the position
 * is unknown or no model covers the year; the unit shows which of the two it is. `timeUs`: UTC in microseconds.
 */
export function inBearings(degrees: number, at: Point | null, timeUs: number): Measured {
  if (unitsNow().bearings === 'true') return { value: degrees, unit: '°' };
  if (declinationDeg === null) void loadMagnetic();
  const declination = at === null ? null : (declinationDeg?.(at, timeUs) ?? null);
  return declination === null
    ? { value: degrees, unit: '°T' }
    : { value: wrapBearing(degrees - declination), unit: '°M' };
}

/**
 * Formats a bearing with three digits before the decimal point, as bearings are spoken: "046°", "359.9°". 359.96 with
 * one decimal becomes "000.0°".
 */
export function formatBearing(degrees: number, at: Point | null, timeUs: number, decimals = 0): string {
  const { value, unit } = inBearings(degrees, at, timeUs);
  const rounded = Number(value.toFixed(decimals)) % 360;
  return `${rounded.toFixed(decimals).padStart(decimals === 0 ? 3 : 4 + decimals, '0')}${unit}`;
}

const POINTS = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');

/** Returns the nearest of the 16 points of the compass: 13° is "NNE". */
export const compassPoint = (degrees: number): string => POINTS[Math.round(wrapBearing(degrees) / 22.5) % 16]!;
