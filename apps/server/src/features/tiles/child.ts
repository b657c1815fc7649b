import { openMbtiles } from './mbtiles.ts';
import { openPmtiles } from './pmtiles.ts';
import type { TileOrder, TileReply } from './tile-reader.ts';
import { TileFault, type TileSet } from './tile-set.ts';

/**
 * Maximum number of open tile sets. They are read in this separate process, since SQLite blocks the event loop, and a
 * malicious file could block it forever.
 */
const OPEN_MAX = 32;
/** Number of tiles of a new file that are checked. */
const SAMPLE_TILES = 50;

const open = new Map<string, { version: string; set: TileSet }>();

const openSet = ({ name, path }: TileOrder): TileSet =>
  name.endsWith('.pmtiles') ? openPmtiles(path) : openMbtiles(path);

function setOf(order: TileOrder): TileSet {
  const { path, version } = order;
  const existing = open.get(path);
  if (existing?.version === version) return existing.set;
  if (existing) forget(path);
  if (open.size >= OPEN_MAX) forget(open.keys().next().value ?? '');
  const set = openSet(order);
  open.set(path, { version, set });
  return set;
}

function forget(path: string): void {
  open.get(path)?.set.close();
  open.delete(path);
}

function judge(order: TileOrder): TileReply {
  const set = openSet(order);
  try {
    if (set.sample(SAMPLE_TILES) === 0) throw new TileFault('it has no tiles');
    const { facts } = set;
    if (facts.kind === 'vector' && facts.vectorLayers.length === 0) {
      throw new TileFault('it does not name the layers of its vector tiles, so nothing of them would be drawn');
    }
    return { facts };
  } finally {
    set.close();
  }
}

function answer(order: TileOrder): TileReply {
  try {
    if (order.ask === 'judge') return judge(order);
    if (order.ask === 'forget') {
      forget(order.path);
      return { tile: null };
    }
    const set = setOf(order);
    if (order.ask === 'facts') return { facts: set.facts };
    return { tile: set.tile(...order.ask) };
  } catch (error) {
    if (error instanceof TileFault) return { fault: error.message };
    return { fault: `it cannot be read (${error instanceof Error ? error.message : String(error)})` };
  }
}

process.on('message', (order: TileOrder) => process.send?.(answer(order)));
process.on('disconnect', () => process.exit());
process.send?.('ready');
