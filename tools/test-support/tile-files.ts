import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { crc32, deflateSync, gzipSync } from 'node:zlib';

export type TestTile = { z: number; x: number; y: number; bytes: Uint8Array };

/** Returns a picture of one pixel, which a map stretches over its tile. */
export function onePixelPng(red: number, green: number, blue: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  // Header: 1 x 1 pixel, 8 bits each of red, green and blue.
  const head = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  const line = deflateSync(Buffer.from([0, red, green, blue]));
  const mark = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([mark, chunk('IHDR', head), chunk('IDAT', line), chunk('IEND', Buffer.alloc(0))]);
}

/**
 * Writes an MBTiles file. The given rows are counted from the north, as is usual, whereas the format counts from the
 * south.
 */
export function writeMbtiles(path: string, metadata: Record<string, string>, tiles: readonly TestTile[]): void {
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE metadata (name text, value text);
    CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
    CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);`);
  const insert = database.prepare('INSERT INTO metadata VALUES (?, ?)');
  for (const [name, value] of Object.entries(metadata)) insert.run(name, value);
  const put = database.prepare('INSERT INTO tiles VALUES (?, ?, ?, ?)');
  for (const { z, x, y, bytes } of tiles) put.run(z, x, 2 ** z - 1 - y, bytes);
  database.close();
}

export type TestPmtiles = {
  metadata: Record<string, unknown>;
  /** Tile type in the header: 1 vector, 2 PNG. */
  tileType: number;
  /** Tiles in the order of their numbers on the Hilbert curve. */
  tiles: readonly { id: number; bytes: Uint8Array }[];
  maxZoom: number;
};

/** Writes a PMTiles file of version 3 with one directory, compressed with gzip. */
export function writePmtiles(path: string, file: TestPmtiles): void {
  writeFileSync(path, pmtilesBytes(file));
}

function pmtilesBytes({ metadata, tileType, tiles, maxZoom }: TestPmtiles): Buffer {
  const numbers = [
    tiles.length,
    ...tiles.map(({ id }, at) => id - (tiles[at - 1]?.id ?? 0)),
    ...tiles.map(() => 1),
    ...tiles.map(({ bytes }) => bytes.byteLength),
    // Offsets: the first tile begins at 0 (stored as 1), and each other tile directly after the previous one (stored as
    // 0).
    ...tiles.map((_, at) => (at === 0 ? 1 : 0)),
  ];
  const directory = gzipSync(Buffer.from(numbers.flatMap(varint)));
  const reported = gzipSync(JSON.stringify(metadata));
  const data = Buffer.concat(tiles.map(({ bytes }) => bytes));
  const header = Buffer.alloc(127);
  header.write('PMTiles', 'latin1');
  header[7] = 3;
  let at = header.length;
  for (const [index, part] of [directory, reported, Buffer.alloc(0), data].entries()) {
    header.writeBigUInt64LE(BigInt(at), 8 + 16 * index);
    header.writeBigUInt64LE(BigInt(part.length), 16 + 16 * index);
    at += part.length;
  }
  header.set([1, 2, 1, tileType, 0, maxZoom], 96);
  for (const [index, degrees] of [-180, -85, 180, 85].entries()) header.writeInt32LE(degrees * 1e7, 102 + 4 * index);
  return Buffer.concat([header, directory, reported, data]);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
