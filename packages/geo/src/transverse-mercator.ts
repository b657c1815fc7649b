import { type Point, RADIANS, wrapLon } from './point.ts';

/** Semi-major axis of WGS 84 in metres. */
export const SEMI_MAJOR_M = 6_378_137;
const FLATTENING = 1 / 298.257_223_563;
export const ECCENTRICITY = Math.sqrt(FLATTENING * (2 - FLATTENING));
const N = FLATTENING / (2 - FLATTENING);
/** Metres per radian of the rectifying latitude. */
const RECTIFYING_M = (SEMI_MAJOR_M / (1 + N)) * (1 + N ** 2 / 4 + N ** 4 / 64);

/** Coefficients of Krüger's series to the fourth order; the error is below a millimetre within a UTM zone. */
const FORWARD = [
  N / 2 - (2 / 3) * N ** 2 + (5 / 16) * N ** 3 + (41 / 180) * N ** 4,
  (13 / 48) * N ** 2 - (3 / 5) * N ** 3 + (557 / 1440) * N ** 4,
  (61 / 240) * N ** 3 - (103 / 140) * N ** 4,
  (49_561 / 161_280) * N ** 4,
];
const INVERSE = [
  N / 2 - (2 / 3) * N ** 2 + (37 / 96) * N ** 3 - (1 / 360) * N ** 4,
  (1 / 48) * N ** 2 + (1 / 15) * N ** 3 - (437 / 1440) * N ** 4,
  (17 / 480) * N ** 3 - (37 / 840) * N ** 4,
  (4397 / 161_280) * N ** 4,
];

/** Metres east of the meridian and north of the equator. */
export type Grid = { east: number; north: number };

/** Returns the tangent of the conformal latitude for the tangent of the latitude. */
function conformal(tan: number): number {
  const sigma = Math.sinh(ECCENTRICITY * Math.atanh((ECCENTRICITY * tan) / Math.hypot(1, tan)));
  return tan * Math.hypot(1, sigma) - sigma * Math.hypot(1, tan);
}

function latitudeOf(conformalTan: number): number {
  const shrunk = 1 - ECCENTRICITY ** 2;
  let tan = conformalTan / shrunk;
  for (let round = 0; round < 5; round += 1) {
    const own = conformal(tan);
    const step = (conformalTan - own) / Math.hypot(1, own);
    tan += (step * (1 + shrunk * tan ** 2)) / (shrunk * Math.hypot(1, tan));
  }
  return Math.atan(tan) / RADIANS;
}

/**
 * Transverse Mercator projection around a meridian, in true metres: the scale on the meridian is 1, and there is no
 * false origin.
 */
export function toTransverse({ lon, lat }: Point, meridian: number): Grid {
  const lambda = wrapLon(lon - meridian) * RADIANS;
  const tan = conformal(Math.tan(lat * RADIANS));
  const xi = Math.atan2(tan, Math.cos(lambda));
  const eta = Math.asinh(Math.sin(lambda) / Math.hypot(tan, Math.cos(lambda)));
  let [east, north] = [eta, xi];
  FORWARD.forEach((factor, index) => {
    const turn = 2 * (index + 1);
    north += factor * Math.sin(turn * xi) * Math.cosh(turn * eta);
    east += factor * Math.cos(turn * xi) * Math.sinh(turn * eta);
  });
  return { east: east * RECTIFYING_M, north: north * RECTIFYING_M };
}

export function fromTransverse({ east, north }: Grid, meridian: number): Point {
  const [xi, eta] = [north / RECTIFYING_M, east / RECTIFYING_M];
  let [xiC, etaC] = [xi, eta];
  INVERSE.forEach((factor, index) => {
    const turn = 2 * (index + 1);
    xiC -= factor * Math.sin(turn * xi) * Math.cosh(turn * eta);
    etaC -= factor * Math.cos(turn * xi) * Math.sinh(turn * eta);
  });
  const tan = Math.sin(xiC) / Math.hypot(Math.sinh(etaC), Math.cos(xiC));
  return {
    lat: latitudeOf(tan),
    lon: wrapLon(meridian + Math.atan2(Math.sinh(etaC), Math.cos(xiC)) / RADIANS),
  };
}

const POLAR_SCALE =
  (2 * SEMI_MAJOR_M) / Math.sqrt((1 + ECCENTRICITY) ** (1 + ECCENTRICITY) * (1 - ECCENTRICITY) ** (1 - ECCENTRICITY));

/**
 * Polar stereographic projection around the north or the south pole, in true metres; the grid's north axis runs along
 * meridian 0.
 */
export function toPolar({ lon, lat }: Point, isNorth: boolean): Grid {
  const tan = conformal(Math.tan((isNorth ? lat : -lat) * RADIANS));
  // Compute the tangent of half the conformal distance from the pole without subtracting large numbers.
  const radius = Math.abs(lat) === 90 ? 0 : POLAR_SCALE / (tan + Math.hypot(1, tan));
  const along = radius * Math.cos(lon * RADIANS);
  return { east: radius * Math.sin(lon * RADIANS), north: isNorth ? -along : along };
}

export function fromPolar({ east, north }: Grid, isNorth: boolean): Point {
  const radius = Math.hypot(east, north);
  if (radius === 0) return { lat: isNorth ? 90 : -90, lon: 0 };
  const half = radius / POLAR_SCALE;
  const lat = latitudeOf((1 / half - half) / 2);
  return { lat: isNorth ? lat : -lat, lon: Math.atan2(east, isNorth ? -north : north) / RADIANS };
}
