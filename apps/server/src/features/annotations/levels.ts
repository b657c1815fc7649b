import type { AnnotationFeature, FeatureGeometry } from '@osprey/contract';
import { type Position, simplifyLine } from '@osprey/geo';

/** Zoom levels for which features are stored with fewer positions, coarsest first. */
export const LEVEL_ZOOMS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14] as const;

/** Features with fewer positions than this are shown unsimplified at any zoom. */
const SMALL = 32;
/** A level is stored only if it reduces the positions to less than this share. */
const SAVING = 0.8;

const EARTH_M = 40_075_016.686;
/** Width of the world at zoom 0, in pixels. */
const WORLD_PX = 512;
/** Largest difference that is not visible, in pixels. */
const INVISIBLE_PX = 0.5;

export const toleranceM = (zoom: number): number => (INVISIBLE_PX * EARTH_M) / (WORLD_PX * 2 ** zoom);

/** Returns the number of decimal places of a degree that a map at this zoom can show. */
const decimalsOf = (zoom: number): number =>
  Math.min(7, Math.max(2, Math.ceil(Math.log10((WORLD_PX * 2 ** zoom) / 360)) + 1));

export type Level = { zoom: number; features: AnnotationFeature[] };

/** Simplified features for maps at lower zooms, sent in place of all positions. */
export function levelsOf(features: readonly AnnotationFeature[]): Level[] {
  const levels: Level[] = [];
  let finer = { features: [...features], vertices: verticesIn(features) };
  for (const zoom of LEVEL_ZOOMS.toReversed()) {
    if (finer.vertices <= SMALL) break;
    const made = drawnFeatures(finer.features, zoom);
    const vertices = verticesIn(made);
    if (vertices > finer.vertices * SAVING) continue;
    levels.push({ zoom, features: made });
    finer = { features: made, vertices };
  }
  return levels;
}

/**
 * Reduces features to the positions that a map at this zoom can show. The number and order of features are preserved.
 */
export function simplifiedFeatures(features: readonly AnnotationFeature[], zoom: number): AnnotationFeature[] {
  const [tolerance, decimals] = [toleranceM(zoom), decimalsOf(zoom)];
  return features.map((feature) => ({ ...feature, geometry: simplified(feature.geometry, tolerance, decimals) }));
}

/** Features with at most this many positions are simplified as for a zoom `SHARPER` levels closer. */
const ROUND = 200;
const SHARPER = 2;

/**
 * Simplifies features for display. Circles and other shapes with few positions keep more of them, since their corners
 * would be visible.
 */
export function drawnFeatures(features: readonly AnnotationFeature[], zoom: number): AnnotationFeature[] {
  return features.flatMap((feature) =>
    simplifiedFeatures([feature], verticesIn([feature]) <= ROUND ? zoom + SHARPER : zoom),
  );
}

export function verticesIn(features: readonly AnnotationFeature[]): number {
  return features.reduce((sum, { geometry }) => sum + positionsIn(geometry.coordinates), 0);
}

function positionsIn(coordinates: unknown): number {
  const parts = coordinates as readonly unknown[];
  if (typeof parts[0] === 'number') return 1;
  let sum = 0;
  for (const part of parts) sum += positionsIn(part);
  return sum;
}

type Numbers = readonly number[];

function simplified(geometry: FeatureGeometry, tolerance: number, decimals: number): FeatureGeometry {
  const round = ([lon = 0, lat = 0]: Numbers): number[] => [rounded(lon, decimals), rounded(lat, decimals)];
  // At higher latitudes, the same number of metres covers more pixels.
  const scaled = (points: readonly Numbers[]) =>
    tolerance * Math.max(0.01, Math.cos((middleLat(points) * Math.PI) / 180));
  const line = (points: readonly Numbers[]) => thinned(points, scaled(points)).map(round);
  const ring = (points: readonly Numbers[]) => {
    const retained = thinned(points, scaled(points));
    const shown = retained.length >= 4 ? retained : corners(points);
    const closed = shown.map(round);
    closed[closed.length - 1] = closed[0]!;
    return closed;
  };
  switch (geometry.type) {
    case 'Point':
      return { ...geometry, coordinates: geometry.coordinates.slice(0, 2) };
    case 'MultiPoint':
      return { ...geometry, coordinates: geometry.coordinates.map(round) };
    case 'LineString':
      return { ...geometry, coordinates: line(geometry.coordinates) };
    case 'MultiLineString':
      return { ...geometry, coordinates: geometry.coordinates.map(line) };
    case 'Polygon':
      return { ...geometry, coordinates: geometry.coordinates.map(ring) };
    case 'MultiPolygon':
      return { ...geometry, coordinates: geometry.coordinates.map((rings) => rings.map(ring)) };
  }
}

function rounded(degrees: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(degrees * scale) / scale;
}

const middleLat = (points: readonly Numbers[]): number => points[points.length >> 1]?.[1] ?? 0;

/** Number of positions compared with each other. Comparing all pairs of a longer line would take seconds. */
const STRETCH = 256;

/**
 * Simplifies a line in stretches, repeatedly as long as this removes many positions. The errors add up to at most the
 * tolerance.
 */
function thinned(points: readonly Numbers[], tolerance: number): Numbers[] {
  let retained = points as unknown as Position[];
  for (let share = tolerance / 2; retained.length > STRETCH; share /= 2) {
    const before = retained.length;
    retained = inStretches(retained, share);
    if (retained.length > before * SAVING) return retained as unknown as Numbers[];
  }
  return simplifyLine(retained, tolerance / 2) as unknown as Numbers[];
}

function inStretches(points: readonly Position[], tolerance: number): Position[] {
  const retained: Position[] = [];
  for (let start = 0; start < points.length - 1; start += STRETCH) {
    retained.push(...simplifyLine(points.slice(start, start + STRETCH + 1), tolerance).slice(0, -1));
  }
  return [...retained, points[points.length - 1]!];
}

/** Returns four positions of a ring that is too small to be visible, so that it remains a ring. */
function corners(points: readonly Numbers[]): Numbers[] {
  const last = points.length - 1;
  return [points[0]!, points[Math.floor(last / 3)]!, points[Math.floor((2 * last) / 3)]!, points[0]!];
}
