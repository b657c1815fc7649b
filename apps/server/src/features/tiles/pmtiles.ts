import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { TILE_BYTES, TileFault, type TileSet, toFacts, toTile } from './tile-set.ts';

/** Limits and sizes of PMTiles version 3: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md */
const HEADER_BYTES = 127;
const DIRECTORY_BYTES = 16 * 1024 * 1024;
const ENTRIES_MAX = 1_000_000;
const DEPTH_MAX = 4;
const CACHED_DIRECTORIES = 64;

/**
 * Entry of a directory: tiles `id` to `id + run - 1` share the same bytes; if `run` is 0, the entry refers to another
 * directory.
 */
type Entry = { id: number; run: number; offset: number; length: number };
type Header = ReturnType<typeof readHeader>;

/** Opens a PMTiles file. @throws TileFault, or an error of the file system or of zlib */
export function openPmtiles(path: string): TileSet {
  const fd = openSync(path, 'r');
  try {
    return read(fd);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function read(fd: number): TileSet {
  const { size } = fstatSync(fd);
  const bytesAt = (offset: number, length: number, most: number): Uint8Array => {
    if (offset + length > size || length > most) throw new TileFault('it names bytes beyond its end');
    const bytes = new Uint8Array(length);
    if (readSync(fd, bytes, 0, length, offset) < length) throw new TileFault('it is cut short');
    return bytes;
  };
  const header = readHeader(bytesAt(0, HEADER_BYTES, HEADER_BYTES));
  const unpackedAt = (offset: number, length: number) =>
    unpack(bytesAt(offset, length, DIRECTORY_BYTES), header.internal, DIRECTORY_BYTES);
  const cached = new Map<number, Entry[]>();
  const directoryAt = (offset: number, length: number): Entry[] => {
    const existing = cached.get(offset);
    if (existing) return existing;
    const entries = readDirectory(unpackedAt(offset, length));
    if (cached.size >= CACHED_DIRECTORIES) cached.delete(cached.keys().next().value ?? 0);
    cached.set(offset, entries);
    return entries;
  };
  const kind = header.tileType === 1 ? 'vector' : 'raster';
  const metadata = metadataOf(unpackedAt(header.metadata.offset, header.metadata.length));
  const facts = toFacts({
    name: metadata.name,
    attribution: metadata.attribution,
    kind,
    minZoom: header.minZoom,
    maxZoom: header.maxZoom,
    bounds: header.bounds,
    vectorLayers: metadata.vector_layers,
  });
  // Read the root directory now, so that a broken file is reported when it is opened.
  directoryAt(header.root.offset, header.root.length);

  const tileOf = (entry: Entry) => {
    const bytes = bytesAt(header.tiles.offset + entry.offset, entry.length, TILE_BYTES);
    // Browsers decompress gzip; other compressions are decompressed here.
    const plain = header.tileCompression > 2 ? unpack(bytes, header.tileCompression, TILE_BYTES) : bytes;
    return toTile(plain, kind);
  };

  return {
    facts,
    tile(z, x, y) {
      const entry = findTile(header, directoryAt, tileId(z, x, y));
      return entry && tileOf(entry);
    },
    sample(most) {
      const entries = spread(directoryAt(header.root.offset, header.root.length), most);
      for (const entry of entries) tileOf(tileBelow(header, directoryAt, entry));
      return entries.length;
    },
    close: () => closeSync(fd),
  };
}

function readHeader(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (new TextDecoder().decode(bytes.subarray(0, 7)) !== 'PMTiles') throw new TileFault('it is no PMTiles file');
  if (bytes[7] !== 3) throw new TileFault(`it is PMTiles of version ${bytes[7]}; 3 is read`);
  const place = (at: number) => ({ offset: whole(view, at), length: whole(view, at + 8) });
  const tileType = bytes[99]!;
  if (tileType < 1 || tileType > 4) throw new TileFault('its tiles are neither PNG, JPEG, WebP nor vector tiles');
  return {
    root: place(8),
    metadata: place(24),
    leaves: place(40),
    tiles: place(56),
    internal: bytes[97]!,
    tileCompression: bytes[98]!,
    tileType,
    minZoom: bytes[100]!,
    maxZoom: bytes[101]!,
    // West, south, east, north; stored in units of 1e-7 degrees.
    bounds: [102, 106, 110, 114].map((at) => view.getInt32(at, true) / 1e7),
  };
}

function whole(view: DataView, at: number): number {
  const value = Number(view.getBigUint64(at, true));
  if (!Number.isSafeInteger(value)) throw new TileFault('it names bytes beyond its end');
  return value;
}

/** Compressions (section 3.1): 1 none, 2 gzip, 3 brotli, 4 zstd. */
function unpack(bytes: Uint8Array, compression: number, maxOutputLength: number): Uint8Array {
  if (compression === 1) return bytes;
  if (compression === 2) return gunzipSync(bytes, { maxOutputLength });
  if (compression === 3) return brotliDecompressSync(bytes, { maxOutputLength });
  if (compression === 4) return zstdDecompressSync(bytes, { maxOutputLength });
  throw new TileFault('its compression is not known');
}

function metadataOf(bytes: Uint8Array): Record<string, unknown> {
  const parsed: unknown = bytes.byteLength === 0 ? {} : JSON.parse(new TextDecoder().decode(bytes));
  return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
}

/** A directory consists of columns of variable-length integers (section 4). */
function readDirectory(bytes: Uint8Array): Entry[] {
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let scale = 1; scale < 2 ** 56; scale *= 128) {
      const byte = bytes[at];
      if (byte === undefined) throw new TileFault('a directory is cut short');
      at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new TileFault('a directory holds a number without an end');
  };
  const count = next();
  // Each entry consists of four numbers of at least one byte each.
  if (count > Math.min(ENTRIES_MAX, bytes.byteLength / 4)) throw new TileFault('a directory has too many entries');
  const entries: Entry[] = Array.from({ length: count }, () => ({ id: 0, run: 0, offset: 0, length: 0 }));
  let id = 0;
  for (const entry of entries) {
    id += next();
    entry.id = id;
  }
  for (const entry of entries) entry.run = next();
  for (const entry of entries) entry.length = next();
  let end = 0;
  for (const entry of entries) {
    const offset = next();
    entry.offset = offset === 0 ? end : offset - 1;
    end = entry.offset + entry.length;
  }
  return entries;
}

function findTile(
  { root, leaves }: Pick<Header, 'root' | 'leaves'>,
  directoryAt: (offset: number, length: number) => Entry[],
  id: number,
): Entry | null {
  let { offset, length } = root;
  for (let depth = 0; depth < DEPTH_MAX; depth += 1) {
    const entry = lastAtOrBefore(directoryAt(offset, length), id);
    if (entry === undefined) return null;
    if (entry.run > 0) return id - entry.id < entry.run ? entry : null;
    offset = leaves.offset + entry.offset;
    length = entry.length;
  }
  throw new TileFault('its directories lead too deep');
}

const spread = (entries: readonly Entry[], most: number): Entry[] => {
  const count = Math.min(most, entries.length);
  return Array.from({ length: count }, (_, at) => entries[Math.floor((at * entries.length) / count)]!);
};

/** Finds any one tile below an entry, by following the middle entry of each directory. */
function tileBelow(
  { leaves }: Pick<Header, 'leaves'>,
  directoryAt: (offset: number, length: number) => Entry[],
  entry: Entry,
): Entry {
  let found = entry;
  for (let depth = 0; found.run === 0; depth += 1) {
    if (depth === DEPTH_MAX) throw new TileFault('its directories lead too deep');
    const entries = directoryAt(leaves.offset + found.offset, found.length);
    const middle = entries[entries.length >> 1];
    if (middle === undefined) throw new TileFault('a directory is empty');
    found = middle;
  }
  return found;
}

function lastAtOrBefore(entries: readonly Entry[], id: number): Entry | undefined {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.id <= id) low = middle + 1;
    else high = middle;
  }
  return entries[low - 1];
}

/** Returns the position of a tile on the Hilbert curve of its zoom level, after all tiles of lower zoom levels. */
export function tileId(z: number, x: number, y: number): number {
  let id = (4 ** z - 1) / 3;
  let [column, row] = [x, y];
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const right = (column & side) > 0 ? 1 : 0;
    const down = (row & side) > 0 ? 1 : 0;
    id += side * side * ((3 * right) ^ down);
    if (down === 1) continue;
    if (right === 1) [column, row] = [side - 1 - column, side - 1 - row];
    [column, row] = [row, column];
  }
  return id;
}
