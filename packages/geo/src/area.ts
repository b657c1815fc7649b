import { ECCENTRICITY_SQUARED, SEMI_MAJOR_M } from './ellipsoid.ts';
import { type Position, RADIANS, shortestTurn } from './point.ts';

const ECCENTRICITY = Math.sqrt(ECCENTRICITY_SQUARED);

/** Function q used for the authalic latitude: Snyder, Map Projections (USGS PP 1395), equation 3-12. */
function authalicQ(sinLat: number): number {
  const inner = ECCENTRICITY * sinLat;
  return (1 - ECCENTRICITY_SQUARED) * (sinLat / (1 - inner * inner) + Math.atanh(inner) / ECCENTRICITY);
}

const POLE_Q = authalicQ(1);

/**
 * Squared radius, in square metres, of the sphere that has the same surface area as the WGS 84 ellipsoid (Snyder 3-13).
 */
const AUTHALIC_RADIUS_SQUARED = (SEMI_MAJOR_M * SEMI_MAJOR_M * POLE_Q) / 2;

/** Returns the sine of the authalic latitude. Equal steps of it divide the ellipsoid into belts of equal area. */
export function authalicSine(lat: number): number {
  return authalicQ(Math.sin(lat * RADIANS)) / POLE_Q;
}

/** Returns the area in square kilometres between two parallels over `lonDeg` degrees of longitude. */
export function beltAreaSqKm(south: number, north: number, lonDeg: number): number {
  return (AUTHALIC_RADIUS_SQUARED * (authalicSine(north) - authalicSine(south)) * lonDeg * RADIANS) / 1e6;
}

/**
 * Returns the area of a ring on WGS 84, in square kilometres. The result is never negative; the ring may be closed or
 * not, and run in either direction.
 *
 * Edges are great circles of the authalic sphere: for the view of a camera, they differ from geodesics by less than a
 * millionth of the area. A ring may cross the antimeridian or contain a pole; of the two sides of the ring, the smaller
 * one counts.
 */
export function polygonAreaSqKm(ring: readonly Position[]): number {
  let excess = 0;
  let winding = 0;
  for (let index = 0; index < ring.length; index += 1) {
    const [lonA, latA] = ring[index]!;
    const [lonB, latB] = ring[(index + 1) % ring.length]!;
    const turn = shortestTurn(lonB - lonA);
    winding += turn;
    excess += edgeExcess(authalicSine(latA), authalicSine(latB), turn * RADIANS);
  }
  // Around a pole, the sum covers the belts between the edges and the equator; the polar cap is the rest of the
  // hemisphere.
  const around = Math.abs(winding) > 180 ? 2 * Math.PI - Math.abs(excess) : Math.abs(excess);
  return (Math.min(around, 4 * Math.PI - around) * AUTHALIC_RADIUS_SQUARED) / 1e6;
}

/**
 * Returns the signed area on the unit sphere between a great-circle edge and the equator, given the sines of both
 * latitudes.
 */
function edgeExcess(sinA: number, sinB: number, turn: number): number {
  const halfA = halfTangent(sinA);
  const halfB = halfTangent(sinB);
  return 2 * Math.atan2(Math.tan(turn / 2) * (halfA + halfB), 1 + halfA * halfB);
}

/** Returns tan(latitude / 2) for the sine of a latitude, which rounding may have put slightly outside ±1. */
function halfTangent(sine: number): number {
  const bounded = Math.max(-1, Math.min(1, sine));
  return bounded / (1 + Math.sqrt(1 - bounded * bounded));
}
