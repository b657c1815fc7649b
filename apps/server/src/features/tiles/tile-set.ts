import { gunzipSync } from 'node:zlib';
import type { MapLayer } from '@osprey/contract';

/** Facts about a tile set, from its metadata. */
export type TileSetFacts = Omit<MapLayer, '_id' | 'tileLayer'>;

export type Tile = {
  bytes: Uint8Array;
  type: 'image/png' | 'image/jpeg' | 'image/webp' | 'application/x-protobuf';
  /** True if compressed with gzip, which the browser decompresses. */
  packed: boolean;
};

/** An open tile file. Its content is untrusted. */
export type TileSet = {
  facts: TileSetFacts;
  /** Returns a tile; null if the file does not contain it. Rows count from the north. @throws TileFault */
  tile: (z: number, x: number, y: number) => Tile | null;
  /** Reads about `most` tiles, spread over the file; returns how many it read. @throws TileFault */
  sample: (most: number) => number;
  close: () => void;
};

/** Fault of a file. The message is shown to administrators after the file's name and a colon. */
export class TileFault extends Error {
  override name = 'TileFault';
}

/** Maximum size of a tile; 256 × 256 px of noise as PNG are 200 kB. */
export const TILE_BYTES = 4 * 1024 * 1024;
const UNPACKED_BYTES = 16 * 1024 * 1024;
const ZOOM_MAX = 24;
const TITLE_MAX = 80;
const ATTRIBUTION_MAX = 300;
const LAYERS_MAX = 100;

/** Determines the type of a tile from its first bytes; the type stated by the file is ignored. @throws TileFault */
export function toTile(bytes: Uint8Array, kind: TileSetFacts['kind']): Tile {
  if (bytes.byteLength > TILE_BYTES) throw new TileFault('a tile is too large');
  if (kind === 'raster') {
    const type = pictureType(bytes);
    if (type === null) throw new TileFault('a tile is neither PNG, JPEG nor WebP');
    return { bytes, type, packed: false };
  }
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = packed ? gunzipSync(bytes, { maxOutputLength: UNPACKED_BYTES }) : bytes;
  // A Mapbox Vector Tile 2.1 begins with a layer, which is field 3.
  if (plain.byteLength > 0 && plain[0] !== 0x1a) throw new TileFault('a tile is no vector tile');
  return { bytes, type: 'application/x-protobuf', packed };
}

export function pictureType(bytes: Uint8Array): 'image/png' | 'image/jpeg' | 'image/webp' | null {
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  return text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP' ? 'image/webp' : null;
}

/** Metadata as found in a file: texts, numbers, lists or nothing. */
export type TileMetadata = Record<
  'name' | 'attribution' | 'minZoom' | 'maxZoom' | 'bounds' | 'vectorLayers',
  unknown
> & {
  kind: TileSetFacts['kind'];
};

/** Converts metadata to the facts of a tile set, dropping impossible values. */
export function toFacts({
  name,
  attribution,
  kind,
  minZoom,
  maxZoom,
  bounds,
  vectorLayers,
}: TileMetadata): TileSetFacts {
  const minimum = zoomOf(minZoom, 0);
  return {
    title: plain(name, TITLE_MAX),
    attribution: plain(attribution, ATTRIBUTION_MAX),
    kind,
    minZoom: minimum,
    maxZoom: Math.max(minimum, zoomOf(maxZoom, ZOOM_MAX)),
    bounds: boundsOf(bounds),
    vectorLayers: layersOf(vectorLayers),
  };
}

/** Converts an attribution to plain text, since attributions contain HTML. */
function plain(value: unknown, most: number): string {
  if (typeof value !== 'string') return '';
  return value
    .slice(0, 10 * most)
    .replace(/<[^>]*>/g, ' ')
    .replace(/&copy;/g, '©')
    .replace(/&amp;/g, '&')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, most);
}

function zoomOf(value: unknown, fallback: number): number {
  const zoom = value === null || value === undefined || value === '' ? Number.NaN : Number(value);
  return Number.isInteger(zoom) && zoom >= 0 && zoom <= ZOOM_MAX ? zoom : fallback;
}

function boundsOf(value: unknown): TileSetFacts['bounds'] {
  if (!Array.isArray(value) || value.length !== 4 || !value.every(Number.isFinite)) return null;
  const [west = 0, south = 0, east = 0, north = 0] = value as number[];
  const fits = west >= -180 && east <= 180 && south >= -90 && north <= 90 && west < east && south < north;
  return fits ? [west, south, east, north] : null;
}

function layersOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const names = value.map((one: unknown) => (typeof one === 'object' && one !== null && 'id' in one ? one.id : null));
  return names.filter((name) => typeof name === 'string' && name.length <= 200).slice(0, LAYERS_MAX) as string[];
}
