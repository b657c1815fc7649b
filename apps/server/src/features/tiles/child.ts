import { openMbtiles } from './mbtiles.ts';
import { openPmtiles } from './pmtiles.ts';
import type { TileOrder, TileReply } from './tile-reader.ts';
import { TileFault, type TileSet } from './tile-set.ts';

/** Reads tile sets in a process of its own: SQLite blocks the event loop, for ever with a hostile file. */
const OPEN_MAX = 32;

const open = new Map<string, { version: string; set: TileSet }>();

function setOf({ path, version }: TileOrder): TileSet {
  const known = open.get(path);
  if (known?.version === version) return known.set;
  if (known) forget(path);
  if (open.size >= OPEN_MAX) forget(open.keys().next().value ?? '');
  const set = path.endsWith('.pmtiles') ? openPmtiles(path) : openMbtiles(path);
  open.set(path, { version, set });
  return set;
}

function forget(path: string): void {
  open.get(path)?.set.close();
  open.delete(path);
}

function answer(order: TileOrder): TileReply {
  try {
    const set = setOf(order);
    if (order.tile === null) return { facts: set.facts };
    return { tile: set.tile(...order.tile) };
  } catch (error) {
    if (error instanceof TileFault) return { fault: error.message };
    return { fault: `it cannot be read (${error instanceof Error ? error.message : String(error)})` };
  }
}

process.on('message', (order: TileOrder) => process.send?.(answer(order)));
process.on('disconnect', () => process.exit());
process.send?.('ready');
