import type { FeatureGeometry } from '@osprey/contract';
import { areaPieces, type Position, ringSpanDeg, splitLineAtAntimeridian } from '@osprey/geo';

type Place = number[];

const jumps = (line: readonly Place[]): boolean =>
  line.some(([lon = 0], index) => index > 0 && Math.abs(lon - (line[index - 1]![0] ?? 0)) > 180);

/** An area that other programs would read otherwise: across the antimeridian, or half a turn wide and more. */
const isToCut = (rings: readonly Place[][]): boolean => rings.some(jumps) || ringSpanDeg(rings[0] ?? []) >= 180;

/**
 * The geometry as RFC 7946, 3.1.9 has it: what reaches across longitude ±180 is cut there. Areas of half a turn and more
 * are cut into narrower ones. Holes stay.
 */
export function cutGeometry(geometry: FeatureGeometry): FeatureGeometry {
  switch (geometry.type) {
    case 'LineString':
      return jumps(geometry.coordinates)
        ? { type: 'MultiLineString', coordinates: cutLine(geometry.coordinates) }
        : geometry;
    case 'MultiLineString':
      if (!geometry.coordinates.some(jumps)) return geometry;
      return {
        ...geometry,
        coordinates: geometry.coordinates.flatMap((line) => (jumps(line) ? cutLine(line) : [line])),
      };
    case 'Polygon':
      return isToCut(geometry.coordinates)
        ? { type: 'MultiPolygon', coordinates: cutArea(geometry.coordinates) }
        : geometry;
    case 'MultiPolygon':
      if (!geometry.coordinates.some(isToCut)) return geometry;
      return {
        ...geometry,
        coordinates: geometry.coordinates.flatMap((area) => (isToCut(area) ? cutArea(area) : [area])),
      };
    default:
      return geometry;
  }
}

const cutLine = (line: readonly Place[]): Place[][] =>
  splitLineAtAntimeridian(line as unknown as Position[]) as unknown as Place[][];

const cutArea = (rings: readonly Place[][]): Place[][][] =>
  areaPieces(rings as unknown as Position[][]) as unknown as Place[][][];

/** Returns the lines of a geometry; for an area, the outlines and holes. */
export function linesOf(geometry: FeatureGeometry): Place[][] {
  switch (geometry.type) {
    case 'LineString':
      return [geometry.coordinates];
    case 'MultiLineString':
    case 'Polygon':
      return geometry.coordinates;
    case 'MultiPolygon':
      return geometry.coordinates.flat();
    default:
      return [];
  }
}

export function pointsOf(geometry: FeatureGeometry): Place[] {
  if (geometry.type === 'Point') return [geometry.coordinates];
  return geometry.type === 'MultiPoint' ? geometry.coordinates : [];
}

/** Escapes a text for XML 1.0. Characters that XML cannot contain are removed. */
export const xmlText = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no place for them
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .toWellFormed()
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
