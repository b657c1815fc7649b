import { toEcef } from '../ellipsoid.ts';
import { type Point, RADIANS } from '../point.ts';
import { WMM_2020 } from './wmm-2020.ts';
import { WMM_2025 } from './wmm-2025.ts';

/** Maximum degree of the spherical harmonics in the model. */
const DEGREES = 12;
/** Geomagnetic reference radius, in metres. */
const RADIUS_M = 6371200;
/** Number of years for which a model is valid. */
const YEARS = 5;

const models = [
  { epoch: 2020, coefficients: WMM_2020 },
  { epoch: 2025, coefficients: WMM_2025 },
] as const;

/**
 * Returns the magnetic declination, the angle from true to magnetic north in degrees, positive to the east, by the
 * World Magnetic Model for that year (MIL-PRF-89500B). Null before 2020, from 2030 on, and at the poles. `timeUs`: UTC
 * microseconds; `heightM`: height above the ellipsoid.
 */
export function declinationDeg({ lat, lon }: Point, timeUs: number, heightM = 0): number | null {
  const year = yearOf(timeUs);
  const model = models.find(({ epoch }) => year >= epoch && year < epoch + YEARS);
  if (model === undefined || !(Math.abs(lat) < 89.99)) return null;
  const [x, y, z] = toEcef({ lat, lon, heightM });
  const axisM = Math.hypot(x, y);
  const centreM = Math.hypot(axisM, z);
  const { values, slopes } = legendre(z / centreM, axisM / centreM);
  let [north, east, down] = [0, 0, 0];
  for (let n = 1, at = 0; n <= DEGREES; n += 1) {
    const power = (RADIUS_M / centreM) ** (n + 2);
    for (let m = 0; m <= n; m += 1, at += 1) {
      const [g0, h0, gYear, hYear] = model.coefficients[at]!;
      const [g, h] = [g0 + (year - model.epoch) * gYear, h0 + (year - model.epoch) * hYear];
      const [sin, cos] = [Math.sin(m * lon * RADIANS), Math.cos(m * lon * RADIANS)];
      const [value, slope] = [values[n]![m]!, slopes[n]![m]!];
      north -= power * (g * cos + h * sin) * slope;
      east += (power * m * (g * sin - h * cos) * value * centreM) / axisM;
      down -= power * (n + 1) * (g * cos + h * sin) * value;
    }
  }
  // Rotate from geocentric to geodetic directions, i.e. from the direction of the earth's centre to that of the plumb
  // line.
  const tilt = Math.atan2(z, axisM) - lat * RADIANS;
  return Math.atan2(east, north * Math.cos(tilt) - down * Math.sin(tilt)) / RADIANS;
}

function yearOf(timeUs: number): number {
  const year = new Date(timeUs / 1000).getUTCFullYear();
  const [from, to] = [Date.UTC(year, 0), Date.UTC(year + 1, 0)];
  return year + (timeUs / 1000 - from) / (to - from);
}

/**
 * Returns the Schmidt semi-normalised Legendre functions of the latitude, by degree and order, and their derivatives
 * with respect to latitude.
 */
function legendre(sin: number, cos: number): { values: number[][]; slopes: number[][] } {
  const values = [[1]];
  const slopes = [[0]];
  for (let n = 1; n <= DEGREES; n += 1) {
    const [value, slope]: [number[], number[]] = [[], []];
    for (let m = 0; m <= n; m += 1) {
      const [before, slopeBefore] = [values[n - 1]!, slopes[n - 1]!];
      if (m === n) {
        value.push(cos * before[m - 1]!);
        slope.push(cos * slopeBefore[m - 1]! - sin * before[m - 1]!);
        continue;
      }
      const share = ((n - 1) ** 2 - m * m) / ((2 * n - 1) * (2 * n - 3));
      const [early, slopeEarly] = [values[n - 2]?.[m] ?? 0, slopes[n - 2]?.[m] ?? 0];
      value.push(sin * before[m]! - share * early);
      slope.push(sin * slopeBefore[m]! + cos * before[m]! - share * slopeEarly);
    }
    values.push(value);
    slopes.push(slope);
  }
  let orderZeroScale = 1;
  for (let n = 1; n <= DEGREES; n += 1) {
    orderZeroScale *= (2 * n - 1) / n;
    for (let m = 0, scale = orderZeroScale; m <= n; m += 1) {
      if (m > 0) scale *= Math.sqrt(((n - m + 1) * (m === 1 ? 2 : 1)) / (n + m));
      values[n]![m]! *= scale;
      slopes[n]![m]! *= scale;
    }
  }
  return { values, slopes };
}
