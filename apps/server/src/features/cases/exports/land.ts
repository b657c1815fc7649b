import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { Place } from '../../../base/items/content.ts';

/** Bounds in degrees on WGS 84. Longitudes may continue past ±180, so that `west` is always below `east`. */
export type Bounds = { west: number; south: number; east: number; north: number };

/** The land in an area: rings to fill by the even-odd rule, one list for each tile, and coastlines. */
export type Land = { areas: Place[][][]; coast: Place[][] };
export type LandIn = (view: Bounds) => Promise<Land>;

/** Highest zoom of the tiles that the build creates (`tools/base-map`). */
const FINEST_ZOOM = 5;
/** Maximum latitude of Web Mercator. */
const LAT_MAX = 85.0511;
/** Approximate number of tiles across the width of a view. */
const ACROSS = 2;

/** Reads the land of the base map that every page shows: vector tiles of the build, in this folder. */
export function landReader(folder: string): LandIn {
  return async (view) => {
    const land: Land = { areas: [], coast: [] };
    const zoom = zoomOf(view);
    const count = 2 ** zoom;
    const [left, right] = [columnOf(view.west, count), columnOf(view.east, count)];
    const [top, bottom] = [rowOf(view.north, count), rowOf(view.south, count)];
    for (let x = Math.floor(left); x <= right; x += 1) {
      for (let y = Math.floor(top); y <= bottom && y < count; y += 1) {
        const bytes = await tileOf(folder, zoom, ((x % count) + count) % count, y);
        if (bytes === null) continue;
        addTile(land, bytes, { x, y, count, view });
      }
    }
    return land;
  };
}

/** Chooses the zoom at which the box is about two tiles wide, or zoom 0 for a box wider than the map of the world. */
function zoomOf({ west, east }: Bounds): number {
  const zoom = Math.ceil(Math.log2((ACROSS * 360) / Math.max(east - west, 1e-6)));
  return Math.min(FINEST_ZOOM, Math.max(0, zoom));
}

const columnOf = (lon: number, count: number): number => ((lon + 180) / 360) * count;

function rowOf(lat: number, count: number): number {
  const sine = Math.sin((Math.min(LAT_MAX, Math.max(-LAT_MAX, lat)) * Math.PI) / 180);
  return (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * count;
}

/** Reads a tile; null if it contains only sea. */
async function tileOf(folder: string, z: number, x: number, y: number): Promise<Uint8Array | null> {
  try {
    return await readFile(join(folder, `${z}/${x}/${y}.pbf`));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

type OfTile = { x: number; y: number; count: number; view: Bounds };
type Corner = { x: number; y: number };

function addTile(land: Land, bytes: Uint8Array, { x, y, count, view }: OfTile): void {
  const layer = new VectorTile(new PbfReader(bytes)).layers.land;
  const { extent = 1 } = layer ?? {};
  const placeOf = (corner: Corner): Place => {
    const north = Math.PI * (1 - (2 * (y + corner.y / extent)) / count);
    return {
      lon: ((x + corner.x / extent) / count) * 360 - 180,
      lat: (Math.atan(Math.sinh(north)) * 180) / Math.PI,
    };
  };
  /** Edges along or beyond the border of a tile, where the next tile continues, are not coast. */
  const isCoast = (one: Corner, other: Corner) =>
    [one, other].every((at) => at.x >= 0 && at.x <= extent && at.y >= 0 && at.y <= extent) &&
    !(one.x === other.x && (one.x === 0 || one.x === extent)) &&
    !(one.y === other.y && (one.y === 0 || one.y === extent));
  for (let index = 0; index < (layer?.length ?? 0); index += 1) {
    const rings = layer!.feature(index).loadGeometry();
    const inside = rings.map((ring) => clipped(ring.map(placeOf), view)).filter((ring) => ring.length > 2);
    if (inside.length > 0) land.areas.push(inside);
    for (const ring of rings) {
      for (let at = 1; at < ring.length; at += 1) {
        if (!isCoast(ring[at - 1]!, ring[at]!)) continue;
        addSide(land.coast, placeOf(ring[at - 1]!), placeOf(ring[at]!), view);
      }
    }
  }
}

/** Appends an edge to the line that ends where the edge begins, or starts a new line with it. */
function addSide(coast: Place[][], from: Place, to: Place, { west, south, east, north }: Bounds): void {
  if (Math.max(from.lon, to.lon) < west || Math.min(from.lon, to.lon) > east) return;
  if (Math.max(from.lat, to.lat) < south || Math.min(from.lat, to.lat) > north) return;
  const last = coast.at(-1);
  const end = last?.at(-1);
  if (last && end?.lon === from.lon && end.lat === from.lat) last.push(to);
  else coast.push([from, to]);
}

/** The part of a ring inside the bounds, cut at one side after the other. */
function clipped(ring: readonly Place[], { west, south, east, north }: Bounds): Place[] {
  const sides: [isIn: (place: Place) => boolean, share: (a: Place, b: Place) => number][] = [
    [({ lon }) => lon >= west, (a, b) => (west - a.lon) / (b.lon - a.lon)],
    [({ lon }) => lon <= east, (a, b) => (east - a.lon) / (b.lon - a.lon)],
    [({ lat }) => lat >= south, (a, b) => (south - a.lat) / (b.lat - a.lat)],
    [({ lat }) => lat <= north, (a, b) => (north - a.lat) / (b.lat - a.lat)],
  ];
  let left: readonly Place[] = ring;
  for (const [isIn, shareOf] of sides) {
    const retained: Place[] = [];
    for (const [at, place] of left.entries()) {
      const before = left[(at + left.length - 1) % left.length]!;
      if (isIn(before) !== isIn(place)) {
        const share = shareOf(before, place);
        retained.push({
          lon: before.lon + (place.lon - before.lon) * share,
          lat: before.lat + (place.lat - before.lat) * share,
        });
      }
      if (isIn(place)) retained.push(place);
    }
    left = retained;
  }
  return [...left];
}
