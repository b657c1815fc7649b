import type { AnnotationFeature } from '@osprey/contract';
import { polygonAreaSqKm } from '@osprey/geo';
import { formatBearing } from '../../base/bearings.ts';
import { formatArea, formatNumber } from '../../base/format.ts';
import { formatPlace } from '../../base/units.ts';
import { bearing, lengthM, type Place, pointOf } from '../../map/draw/figures.ts';
import { linesOf } from '../../map/draw/geometry.ts';

const NAUTICAL_MILE_M = 1852;

export const lengthUnits = ['nm', 'km', 'm'] as const;
export type LengthUnit = (typeof lengthUnits)[number];

const metresIn: Record<LengthUnit, number> = { nm: NAUTICAL_MILE_M, km: 1000, m: 1 };

/** Minimum area, in square kilometres, that is not shown in square metres. */
const AREA_MIN_SQ_KM = 0.1;

export const inUnit = (metres: number, unit: LengthUnit): number => metres / metresIn[unit];
export const fromUnit = (value: number, unit: LengthUnit): number => value * metresIn[unit];

export function formatLength(metres: number, unit: LengthUnit): string {
  const value = inUnit(metres, unit);
  return `${formatNumber(value, unit === 'm' ? 0 : value < 1 ? 2 : 1)} ${unit}`;
}

/** Formats a distance with its bearing, for example "5.7 nm, 346°". Magnetic bearings refer to the current date. */
export const formatLeg = (from: Place, to: Place, unit: LengthUnit): string =>
  `${formatLength(lengthM(from, to), unit)}, ${formatBearing(bearing(from, to), pointOf(from), Date.now() * 1000)}`;

/**
 * Formats an area in square kilometres (specification 1, section 8), with square nautical miles if lengths are in
 * nautical miles. Square metres are used if lengths are in metres, and for small areas.
 */
export function formatSquare(areaSqKm: number, unit: LengthUnit): string {
  if (unit === 'm' || areaSqKm < AREA_MIN_SQ_KM) return `${formatNumber(areaSqKm * 1e6)} sq. m`;
  if (unit === 'km') return formatArea(areaSqKm);
  const squareMiles = areaSqKm * (1000 / NAUTICAL_MILE_M) ** 2;
  return `${formatArea(areaSqKm)} (${formatNumber(squareMiles, squareMiles < 1 ? 2 : 1)} sq. nm)`;
}

export type Leg = { from: Place; to: Place; metres: number; bearing: number };

export const legsOf = (places: readonly Place[]): Leg[] =>
  places.slice(1).map((to, index) => {
    const from = places[index]!;
    return { from, to, metres: lengthM(from, to), bearing: bearing(from, to) };
  });

export const totalM = (places: readonly Place[]): number => legsOf(places).reduce((sum, { metres }) => sum + metres, 0);

/** Returns the area of a polygon in square kilometres, without its holes; null for a geometry that is no area. */
export function areaOf({ geometry }: AnnotationFeature): number | null {
  const polygons =
    geometry.type === 'Polygon'
      ? [geometry.coordinates]
      : geometry.type === 'MultiPolygon'
        ? geometry.coordinates
        : null;
  if (polygons === null) return null;
  const of = (ring: readonly Place[] = []) => polygonAreaSqKm(ring.map(([lon = 0, lat = 0]) => [lon, lat] as const));
  return polygons.reduce(
    (sum, [outer, ...holes]) => sum + of(outer) - holes.reduce((inner, hole) => inner + of(hole), 0),
    0,
  );
}

/** Returns the size of a shape as text for a list: its area, length or radius, or its position. */
export function sizeText(feature: AnnotationFeature, unit: LengthUnit): string {
  const { geometry, properties } = feature;
  if (properties.shape === 'rings' && properties.radius !== undefined) return formatLength(properties.radius, unit);
  const area = areaOf(feature);
  if (area !== null) return formatSquare(area, unit);
  if (geometry.type === 'Point') return formatPlace(pointOf(geometry.coordinates));
  if (geometry.type === 'MultiPoint') return `${geometry.coordinates.length} points`;
  return formatLength(
    linesOf(geometry).reduce((sum, { places }) => sum + totalM(places), 0),
    unit,
  );
}
