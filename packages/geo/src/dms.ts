import { type Point, wrapLon } from './point.ts';

/** Hundredths of an arc second per degree. */
const HUNDREDTHS = 360_000;

/** Latitude as degrees, minutes and seconds with 2 decimals: `37°34'32.58"N`. */
export function formatLat(lat: number): string {
  return `${arc(lat)}${lat < 0 ? 'S' : 'N'}`;
}

/** Longitude as degrees, minutes and seconds with 2 decimals: `24°15'44.10"E`. Values beyond ±180 are wrapped. */
export function formatLon(lon: number): string {
  const longitude = Math.abs(lon) <= 180 ? lon : wrapLon(lon);
  return `${arc(longitude)}${longitude < 0 ? 'W' : 'E'}`;
}

/** Latitude and longitude, separated by a space: `37°34'32.58"N 24°15'44.10"E`. */
export function formatDms({ lat, lon }: Point): string {
  return `${formatLat(lat)} ${formatLon(lon)}`;
}

function arc(degrees: number): string {
  // Round only once, in whole hundredths, so that 59.995 seconds become the next minute rather than 60.00. The added
  // millionth makes decimal halves that binary fractions cannot represent round up.
  const hundredths = Math.round(Math.abs(degrees) * HUNDREDTHS + 1e-6);
  const whole = Math.floor(hundredths / HUNDREDTHS);
  const minutes = Math.floor((hundredths % HUNDREDTHS) / 6000);
  const seconds = ((hundredths % 6000) / 100).toFixed(2);
  return `${whole}°${String(minutes).padStart(2, '0')}'${seconds.padStart(5, '0')}"`;
}
