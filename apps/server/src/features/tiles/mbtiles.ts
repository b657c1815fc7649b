import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { pictureType, TILE_BYTES, TileFault, type TileSet, toFacts, toTile } from './tile-set.ts';

const ROWS_MAX = 1000;
/** SQLite heap limit of all open files together. */
const HEAP_BYTES = 128 * 1024 * 1024;
const VALUE_MAX = 1024 * 1024;

/**
 * Opens an MBTiles file (1.3: SQLite with tables or views `metadata` and `tiles`, rows counted from the south). The
 * file is opened read-only, without a journal; views and triggers of its schema may call only harmless functions.
 *
 * @throws Error of SQLite, or TileFault
 */
export function openMbtiles(path: string): TileSet {
  const database = new DatabaseSync(new URL(`${pathToFileURL(path).href}?immutable=1`), {
    readOnly: true,
    allowExtension: false,
  });
  try {
    database.exec(`PRAGMA hard_heap_limit = ${HEAP_BYTES}; PRAGMA trusted_schema = OFF; PRAGMA query_only = ON;
      PRAGMA cell_size_check = ON`);
    return read(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function read(database: DatabaseSync): TileSet {
  const metadata = metadataOf(database);
  const tiles = database.prepare(
    `SELECT CASE WHEN length(tile_data) <= ${TILE_BYTES} THEN tile_data ELSE 0 END AS bytes
     FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? LIMIT 1`,
  );
  const kind = kindOf(metadata.get('format'), () =>
    bytesOf(database.prepare('SELECT tile_data AS bytes FROM tiles LIMIT 1').get()),
  );
  const zooms = metadata.has('minzoom') && metadata.has('maxzoom') ? undefined : zoomsOf(database);
  const facts = toFacts({
    name: metadata.get('name'),
    attribution: metadata.get('attribution'),
    kind,
    minZoom: metadata.get('minzoom') ?? zooms?.least,
    maxZoom: metadata.get('maxzoom') ?? zooms?.most,
    bounds: metadata.get('bounds')?.split(',').map(Number),
    vectorLayers: vectorLayersOf(metadata.get('json')),
  });
  return {
    facts,
    tile(z, x, y) {
      const bytes = bytesOf(tiles.get(z, x, 2 ** z - 1 - y));
      return bytes && toTile(bytes, kind);
    },
    sample(most) {
      const each = Math.ceil(most / 2 / (facts.maxZoom - facts.minZoom + 1));
      let read = 0;
      for (let z = facts.minZoom; z <= facts.maxZoom; z += 1) {
        for (const order of ['ASC', 'DESC']) {
          const rows = database.prepare(
            `SELECT CASE WHEN length(tile_data) <= ${TILE_BYTES} THEN tile_data ELSE 0 END AS bytes FROM tiles
             WHERE zoom_level = ? ORDER BY tile_column ${order}, tile_row ${order} LIMIT ?`,
          );
          for (const row of rows.iterate(z, each)) {
            const bytes = bytesOf(row);
            if (bytes === null) continue;
            toTile(bytes, kind);
            read += 1;
          }
        }
      }
      return read;
    },
    close: () => database.close(),
  };
}

function metadataOf(database: DatabaseSync): Map<string, string> {
  const rows = database
    .prepare(`SELECT name, value FROM metadata WHERE length(value) <= ${VALUE_MAX} LIMIT ${ROWS_MAX}`)
    .all();
  return new Map(rows.map(({ name, value }) => [String(name), String(value)]));
}

const zoomsOf = (database: DatabaseSync) =>
  database.prepare('SELECT min(zoom_level) AS least, max(zoom_level) AS most FROM tiles').get();

function bytesOf(row: Record<string, unknown> | undefined): Uint8Array | null {
  if (row === undefined) return null;
  if (row.bytes instanceof Uint8Array) return row.bytes;
  throw new TileFault('a tile is too large, or holds no bytes');
}

function kindOf(format: string | undefined, first: () => Uint8Array | null): 'raster' | 'vector' {
  if (format === 'pbf') return 'vector';
  if (format !== undefined) return 'raster';
  const bytes = first();
  return bytes === null || pictureType(bytes) ? 'raster' : 'vector';
}

function vectorLayersOf(json: string | undefined): unknown {
  if (json === undefined) return null;
  const parsed: unknown = JSON.parse(json);
  return typeof parsed === 'object' && parsed !== null && 'vector_layers' in parsed ? parsed.vector_layers : null;
}
