import { type Point, wrapLon } from './point.ts';

/** Hundredths of a second of arc in a degree. */
const HUNDREDTHS = 360_000;

/** Latitude as degrees, minutes and seconds with 2 decimals: `37°34'32.58"N`. */
export function formatLat(lat: number): string {
  return `${arc(lat)}${lat < 0 ? 'S' : 'N'}`;
}

/** Longitude as degrees, minutes and seconds with 2 decimals: `24°15'44.10"E`; any turn is brought into ±180. */
export function formatLon(lon: number): string {
  const within = Math.abs(lon) <= 180 ? lon : wrapLon(lon);
  return `${arc(within)}${within < 0 ? 'W' : 'E'}`;
}

/** Latitude and longitude, separated by a space: `37°34'32.58"N 24°15'44.10"E`. */
export function formatDms({ lat, lon }: Point): string {
  return `${formatLat(lat)} ${formatLon(lon)}`;
}

function arc(degrees: number): string {
  // Rounded once, in whole hundredths: 59.995 seconds become the next minute, not 60.00. The millionth lets a half
  // that binary fractions cannot hold round up as it is written.
  const hundredths = Math.round(Math.abs(degrees) * HUNDREDTHS + 1e-6);
  const whole = Math.floor(hundredths / HUNDREDTHS);
  const minutes = Math.floor((hundredths % HUNDREDTHS) / 6000);
  const seconds = ((hundredths % 6000) / 100).toFixed(2);
  return `${whole}°${String(minutes).padStart(2, '0')}'${seconds.padStart(5, '0')}"`;
}
