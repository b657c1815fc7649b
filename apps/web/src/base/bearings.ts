import { type Point, wrapBearing } from '@osprey/geo';
import { drawAgain, type Measured, unitsNow } from './units.ts';

type Declination = typeof import('@osprey/geo/magnetic').declinationDeg;

let declinationDeg: Declination | null = null;

let fetched: Promise<void> | null = null;

/**
 * The magnetic model is fetched for those who chose magnetic bearings alone; until it has come, bearings are true. Each of
 * these asks for it again, so all share one fetch.
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
 * A true bearing in degrees, converted to magnetic for users who chose that. It stays true where the place is not known,
 * and in years without a model; the unit says which of both it is. `timeUs`: UTC microseconds.
 */
export function inBearings(degrees: number, at: Point | null, timeUs: number): Measured {
  if (unitsNow().bearings === 'true') return { value: degrees, unit: '°' };
  if (declinationDeg === null) void loadMagnetic();
  const declination = at === null ? null : (declinationDeg?.(at, timeUs) ?? null);
  return declination === null
    ? { value: degrees, unit: '°T' }
    : { value: wrapBearing(degrees - declination), unit: '°M' };
}

/** Three digits before the point, as bearings are spoken: "046°", "359.9°"; 359.96 with one decimal is "000.0°". */
export function formatBearing(degrees: number, at: Point | null, timeUs: number, decimals = 0): string {
  const { value, unit } = inBearings(degrees, at, timeUs);
  const rounded = Number(value.toFixed(decimals)) % 360;
  return `${rounded.toFixed(decimals).padStart(decimals === 0 ? 3 : 4 + decimals, '0')}${unit}`;
}
