import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { areaOf, type Box, covers, cut, type Shape } from './cut.ts';
import type { Line } from './gshhg.ts';

/** Coarsest zoom level made by this tool; coarser tiles are made by the build. */
export const FROM_ZOOM = 6;
export const TO_ZOOM = 10;
/** Units across a tile; at zoom 10, one unit is 10 m at the equator. */
const EXTENT = 4096;
/** Margin drawn beyond the edges of a tile, so that no seam is visible: 10 of 512 pixels. */
const BUFFER = 80 / EXTENT;
/**
 * Minimum distance of a point from the previous one, in tile units: a third of a pixel. It is smaller at the finest
 * zoom, whose tiles are also drawn enlarged.
 */
const STEP = 3;
const FINEST_STEP = 1;
/** Maximum latitude of the Web Mercator square, in degrees. */
const LAT_MAX = 85.0511287798066;

/** One tile; `bytes` is a Mapbox Vector Tile 2.1. */
export type FineTile = { z: number; x: number; y: number; bytes: Uint8Array };

/**
 * Returns the lines as shapes in the unit square, with a copy of each shape for every turn around the world in which it
 * is visible.
 */
export function shapesOf(lines: readonly Line[], kind: Shape['kind']): Shape[] {
  return lines.flatMap(({ level, points }) => {
    const flat = new Float64Array(points.length);
    let [west, east] = [Infinity, -Infinity];
    for (let index = 0; index < points.length; index += 2) {
      const lat = Math.min(LAT_MAX, Math.max(-LAT_MAX, points[index + 1]!));
      const sine = Math.sin((lat * Math.PI) / 180);
      flat[index] = points[index]! / 360 + 0.5;
      flat[index + 1] = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
      west = Math.min(west, flat[index]!);
      east = Math.max(east, flat[index]!);
    }
    return [-2, -1, 0, 1]
      .filter((turn) => west + turn < 1 + BUFFER && east + turn > -BUFFER)
      .map((turn) => ({
        kind,
        level,
        points: turn === 0 ? flat : flat.map((value, at) => (at % 2 === 0 ? value + turn : value)),
      }));
  });
}

/** Returns the first zoom level that shows rivers of a level. */
const riverFrom = (level: number): number =>
  level <= 2 ? 6 : level === 3 ? 7 : level === 4 || level === 8 ? 8 : level <= 6 ? 9 : 10;

/** Yields the tiles of zooms 6 to 10 that are not empty. Tiles covered entirely by land share their bytes. */
export function* fineTiles(shapes: readonly Shape[]): Generator<FineTile> {
  yield* below(shapes, 0, 0, 0);
}

function* below(shapes: readonly Shape[], z: number, x: number, y: number): Generator<FineTile> {
  const size = 1 / 2 ** z;
  const box = {
    west: (x - BUFFER) * size,
    east: (x + 1 + BUFFER) * size,
    north: (y - BUFFER) * size,
    south: (y + 1 + BUFFER) * size,
  };
  const own = shapes.flatMap((shape) => cut(shape, box));
  if (own.length === 0) return;
  if (z >= FROM_ZOOM) {
    const bytes = own.every((shape) => shape.level === 1 && covers(shape, box)) ? allLand() : drawn(own, z, box);
    if (bytes !== null) yield { z, x, y, bytes };
  }
  if (z === TO_ZOOM) return;
  for (const [right, down] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const)
    yield* below(own, z + 1, 2 * x + right, 2 * y + down);
}

let land: Uint8Array | null = null;

function allLand(): Uint8Array {
  const [low, high] = [-BUFFER * EXTENT, (1 + BUFFER) * EXTENT];
  const ring = [
    [low, low],
    [high, low],
    [high, high],
    [low, high],
    [low, low],
  ] as Point[];
  land ??= encoded({ land: [{ geometry: [ring], type: 3, tags: { level: 1 } }] });
  return land;
}

type Point = [x: number, y: number];
type Feature = { geometry: Point[][]; type: 2 | 3; tags: { level: number } };

function drawn(shapes: readonly Shape[], z: number, box: Box): Uint8Array | null {
  const layers: Record<'land' | 'rivers', Feature[]> = { land: [], rivers: [] };
  for (const { kind, level, points } of shapes) {
    const isArea = kind === 'area';
    if (!isArea && riverFrom(level) > z) continue;
    const geometry = rounded(points, z, box, isArea);
    if (geometry === null) continue;
    layers[isArea ? 'land' : 'rivers'].push({ geometry: [geometry], type: isArea ? 3 : 2, tags: { level } });
  }
  const found = Object.entries(layers).filter(([, features]) => features.length > 0);
  return found.length === 0 ? null : encoded(Object.fromEntries(found));
}

/** Rounds points to tile units and removes those that would not be visible; null if nothing is left. */
function rounded(points: Float64Array, z: number, { west, north }: Box, isArea: boolean): Point[] | null {
  const scale = EXTENT * 2 ** z;
  const step = z === TO_ZOOM ? FINEST_STEP : STEP;
  const left = BUFFER * EXTENT;
  const retained: Point[] = [];
  for (let index = 0; index < points.length; index += 2) {
    const x = Math.round((points[index]! - west) * scale - left);
    const y = Math.round((points[index + 1]! - north) * scale - left);
    const before = retained.at(-1);
    const isLast = !isArea && index === points.length - 2;
    if (before && !isLast && Math.abs(x - before[0]) < step && Math.abs(y - before[1]) < step) continue;
    retained.push([x, y]);
  }
  if (!isArea) return retained.length < 2 ? null : retained;
  const [first] = retained;
  if (retained.length < 3 || first === undefined || Math.abs(areaOf(retained.flat())) < 2 * step * step) return null;
  // Vector Tile 2.1, 4.3.4.4: an outer ring has a positive area in coordinates whose y grows downwards.
  const ring = areaOf(retained.flat()) < 0 ? retained.reverse() : retained;
  return [...ring, ring[0]!];
}

const encoded = (layers: Record<string, Feature[]>): Uint8Array =>
  fromGeojsonVt(Object.fromEntries(Object.entries(layers).map(([name, features]) => [name, { features } as never])), {
    version: 2,
    extent: EXTENT,
  });
