import { getLastSeenTile, LAST_SEEN_ZOOM_MAX, type LastSeenTile } from '@osprey/contract';
import type { Api } from '../api/api.ts';

const MINUTE_US = 60_000_000;
/** Tiles that are asked for at the same time. */
const AT_ONCE = 4;
/** Tiles that are kept, some 20 KB each. */
const CACHED_MAX = 300;
/** Most tiles of a map; with more, coarser ones are used. */
const SHOWN_MAX = 40;

type Tile = { zoom: number; x: number; y: number };
export type Bounds = { west: number; south: number; east: number; north: number };

/** The minute of a moment: maps are asked for by it. */
export const minuteOf = (timeUs: number): number => Math.floor(timeUs / MINUTE_US) * MINUTE_US;

/** Tiles that cover a part of the world. A west border above the east one, or beyond 180°, is another turn round the earth. */
export function tilesOver({ west, south, east, north }: Bounds, mapZoom: number): Tile[] {
  for (let zoom = Math.max(0, Math.min(LAST_SEEN_ZOOM_MAX, Math.floor(mapZoom))); ; zoom -= 1) {
    const size = 2 ** zoom;
    const columnOf = (lon: number) => Math.floor(((lon + 180) / 360) * size);
    const rowOf = (lat: number) => Math.max(0, Math.min(size - 1, Math.floor(mercator(lat) * size)));
    const [first, last] = [columnOf(west), Math.min(columnOf(east), columnOf(west) + size - 1)];
    const [top, bottom] = [rowOf(north), rowOf(south)];
    if (zoom > 0 && (last - first + 1) * (bottom - top + 1) > SHOWN_MAX) continue;
    const tiles: Tile[] = [];
    for (let y = top; y <= bottom; y += 1) {
      for (let x = first; x <= last; x += 1) tiles.push({ zoom, x: ((x % size) + size) % size, y });
    }
    return tiles;
  }
}

/** From 0 in the north to 1 in the south. */
const mercator = (lat: number): number => (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2;

/** Tiles of the last-seen map by minute and place, kept for the map that is shown and no longer. */
export function tileStore(api: Api) {
  const cached = new Map<string, LastSeenTile>();
  let times = 0;

  async function read({ zoom, x, y }: Tile, atUs: number, signal: AbortSignal): Promise<LastSeenTile> {
    const key = `${atUs} ${zoom} ${x} ${y}`;
    const existing = cached.get(key);
    if (existing) return existing;
    const before = times;
    const query = { zoom: String(zoom), x: String(x), y: String(y), at: String(atUs) };
    const tile = await api.call(getLastSeenTile, { query }, { signal });
    if (times === before) {
      if (cached.size >= CACHED_MAX) cached.delete(cached.keys().next().value ?? '');
      cached.set(key, tile);
    }
    return tile;
  }

  return {
    /** All tiles at a moment, in no order. Rejects with the first failure, and where `signal` ends it. */
    async readAll(tiles: readonly Tile[], atUs: number, signal: AbortSignal): Promise<LastSeenTile[]> {
      const waiting = [...tiles];
      const found: LastSeenTile[] = [];
      const work = async () => {
        for (let next = waiting.pop(); next; next = waiting.pop()) found.push(await read(next, atUs, signal));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return found;
    },
    /** Loaded tiles may not be readable any more, or are out of date; pending ones are not kept either. */
    forget(): void {
      times += 1;
      cached.clear();
    },
  };
}
