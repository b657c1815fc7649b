import { getLastSeenTile, LAST_SEEN_ZOOM_MAX, type LastSeenTile } from '@osprey/contract';
import type { Api } from '../api/api.ts';

const MINUTE_US = 60_000_000;
/** Number of tiles that are requested at the same time. */
const REQUESTS_MAX = 4;
/** Maximum number of cached tiles; a tile has about 20 KB. */
const CACHED_MAX = 300;
/** Maximum number of tiles on a map; if more are needed, coarser tiles are used. */
const SHOWN_MAX = 40;

type Tile = { zoom: number; x: number; y: number };
export type Bounds = { west: number; south: number; east: number; north: number };

/** Returns the start of the minute; tiles are requested per minute. */
export const minuteOf = (timeUs: number): number => Math.floor(timeUs / MINUTE_US) * MINUTE_US;

/** Returns the tiles that cover an area. If its longitudes exceed ±180°, the tile columns wrap around the earth. */
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

/** Returns the Mercator coordinate of a latitude, from 0 in the north to 1 in the south. */
const mercator = (lat: number): number => (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2;

/** Reads the tiles of the last-seen map and caches them by minute and place, for as long as the map is shown. */
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
    /** Reads all tiles for a time, in any order. Rejects with the first failure, or when `signal` is aborted. */
    async readAll(tiles: readonly Tile[], atUs: number, signal: AbortSignal): Promise<LastSeenTile[]> {
      const waiting = [...tiles];
      const found: LastSeenTile[] = [];
      const work = async () => {
        for (let next = waiting.pop(); next; next = waiting.pop()) found.push(await read(next, atUs, signal));
      };
      await Promise.all(Array.from({ length: REQUESTS_MAX }, work));
      return found;
    },
    /**
     * Drops all cached tiles, since the user may have lost access to them or they are outdated. Responses to pending
     * requests are not cached either.
     */
    forget(): void {
      times += 1;
      cached.clear();
    },
  };
}
