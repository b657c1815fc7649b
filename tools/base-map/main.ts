import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { FROM_ZOOM, fineTiles, shapesOf, TO_ZOOM } from './fine/fine-tiles.ts';
import { riversOf, shoresOf } from './fine/gshhg.ts';
import { readNetcdf } from './fine/netcdf.ts';

const ATTRIBUTION = 'Coast, lakes, rivers: GSHHG (LGPL)';
const VECTOR_LAYERS = ['land', 'rivers'].map((id) => ({ id, fields: { level: 'Number' } }));

/**
 * Writes coast, lakes and rivers as an MBTiles 1.3 file with vector tiles of zooms 6 to 10.
 *
 * @param from folder of the Debian package gmt-gshhg-full
 * @param to the file to write; an existing one is replaced only once the new one is complete
 */
function writeFine(from: string, to: string): void {
  const folder = mkdtempSync(`${to}.making-`);
  try {
    const read = (name: string) => {
      const plain = join(folder, name);
      // Debian ships these files as HDF5; nccopy converts them to the classic format.
      execFileSync('nccopy', ['-k', 'classic', join(from, name), plain]);
      return readNetcdf(readFileSync(plain));
    };
    say('Reading coast, lakes and rivers ...');
    const shapes = [
      ...shapesOf(shoresOf(read('binned_GSHHS_f.nc')), 'area'),
      ...shapesOf(riversOf(read('binned_river_f.nc')), 'line'),
    ];
    say('Writing tiles ...');
    const made = join(folder, 'base-map.mbtiles');
    const { count, kinds } = writeTiles(made, shapes);
    renameSync(made, to);
    say(`${to}: ${count} tiles, ${kinds} of them different.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeTiles(path: string, shapes: Parameters<typeof fineTiles>[0]): { count: number; kinds: number } {
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA journal_mode = OFF;
    CREATE TABLE metadata (name TEXT, value TEXT);
    CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id INTEGER,
      PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID;
    CREATE TABLE images (tile_id INTEGER PRIMARY KEY, tile_data BLOB);
    CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map JOIN images USING (tile_id);
    BEGIN`);
  const insert = database.prepare('INSERT INTO metadata VALUES (?, ?)');
  const metadata = {
    name: 'Base map',
    format: 'pbf',
    attribution: ATTRIBUTION,
    minzoom: String(FROM_ZOOM),
    maxzoom: String(TO_ZOOM),
    bounds: '-180,-85.0511,180,85.0511',
    json: JSON.stringify({ vector_layers: VECTOR_LAYERS }),
  };
  for (const [name, value] of Object.entries(metadata)) insert.run(name, value);
  const place = database.prepare('INSERT INTO map VALUES (?, ?, ?, ?)');
  const put = database.prepare('INSERT INTO images VALUES (?, ?)');
  const existing = new Map<string, number>();
  let count = 0;
  for (const { z, x, y, bytes } of fineTiles(shapes)) {
    const hash = createHash('sha1').update(bytes).digest('base64');
    let id = existing.get(hash);
    if (id === undefined) {
      id = existing.size + 1;
      existing.set(hash, id);
      put.run(id, gzipSync(bytes));
    }
    place.run(z, x, 2 ** z - 1 - y, id);
    count += 1;
  }
  database.exec('COMMIT');
  database.close();
  return { count, kinds: existing.size };
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const [from, to] = process.argv.slice(2);
if (from === undefined || to === undefined) throw new Error('Usage: main.ts SOURCE-FOLDER FILE');
writeFine(from, to);
