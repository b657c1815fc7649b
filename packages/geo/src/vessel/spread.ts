import { RADIANS } from '../point.ts';
import type { Metres } from './local-plane.ts';

/** Covariance of a position on the ground, in square metres: east with east, east with north, north with north. */
export type Spread = { readonly ee: number; readonly en: number; readonly nn: number };

/** Radius, in standard deviations, of the ellipse that contains 95 % of a two-dimensional normal distribution. */
export const SIGMAS_95 = Math.sqrt(-2 * Math.log(0.05));

/** Returns the covariance for given standard deviations along a bearing and across it, in metres. */
export function spreadAlong(bearingDeg: number, alongM: number, acrossM: number): Spread {
  const [sin, cos] = [Math.sin(bearingDeg * RADIANS), Math.cos(bearingDeg * RADIANS)];
  const [along, across] = [alongM * alongM, acrossM * acrossM];
  return {
    ee: along * sin * sin + across * cos * cos,
    en: (along - across) * sin * cos,
    nn: along * cos * cos + across * sin * sin,
  };
}

export const sumOf = (a: Spread, b: Spread): Spread => ({ ee: a.ee + b.ee, en: a.en + b.en, nn: a.nn + b.nn });

export const scaled = ({ ee, en, nn }: Spread, by: number): Spread => ({ ee: ee * by, en: en * by, nn: nn * by });

export function inverseOf({ ee, en, nn }: Spread): Spread {
  const whole = ee * nn - en * en;
  return { ee: nn / whole, en: -en / whole, nn: ee / whole };
}

export const applySpread = ({ ee, en, nn }: Spread, [x, y]: Metres): Metres => [ee * x + en * y, en * x + nn * y];

/** Returns the length of an offset in standard deviations (Mahalanobis distance). */
export function deviations(spread: Spread, offset: Metres): number {
  const [x, y] = applySpread(inverseOf(spread), offset);
  return Math.sqrt(x * offset[0] + y * offset[1]);
}

/** Returns the semi-axes of the 95 % ellipse in metres, and the bearing of the longer one in degrees from 0 to 180. */
export function ellipseOf({ ee, en, nn }: Spread): { majorM: number; minorM: number; bearingDeg: number } {
  const [middle, half] = [(ee + nn) / 2, Math.hypot((ee - nn) / 2, en)];
  const bearing = Math.atan2(2 * en, nn - ee) / 2 / RADIANS;
  return {
    majorM: SIGMAS_95 * Math.sqrt(middle + half),
    minorM: SIGMAS_95 * Math.sqrt(Math.max(0, middle - half)),
    bearingDeg: (bearing + 180) % 180,
  };
}

/** Returns the offsets of points on the border of the 95 % ellipse, in metres. */
export function borderOf(spread: Spread, points = 24): Metres[] {
  const { majorM, minorM, bearingDeg } = ellipseOf(spread);
  const [sin, cos] = [Math.sin(bearingDeg * RADIANS), Math.cos(bearingDeg * RADIANS)];
  return Array.from({ length: points }, (_, at): Metres => {
    const turn = (2 * Math.PI * at) / points;
    const [along, across] = [majorM * Math.cos(turn), minorM * Math.sin(turn)];
    return [along * sin + across * cos, along * cos - across * sin];
  });
}

/**
 * Returns a transformation that turns the 95 % ellipse into the unit circle, so that ellipses can be compared by
 * distances.
 */
export function toUnitCircle(spread: Spread): (at: Metres) => Metres {
  // Inverse of the lower triangular root of the covariance (Cholesky).
  const a = Math.sqrt(spread.ee);
  const b = spread.en / a;
  const c = Math.sqrt(Math.max(1e-12, spread.nn - b * b));
  return ([east, north]) => {
    const first = east / a;
    return [first / SIGMAS_95, (north - b * first) / c / SIGMAS_95];
  };
}
