import { join } from 'node:path';
import type { Http } from '../base/http/call-route.ts';
import { tileRoutes } from '../features/tiles/routes.ts';
import { tileReader } from '../features/tiles/tile-reader.ts';
import { type TileSets, tileSets } from '../features/tiles/tile-sets.ts';
import type { CommonParts } from './parts.ts';

/** A tile takes about a millisecond, the first look at a large file about a hundred. */
const LIMIT_MS = 5000;

/** Serves charts of the site. */
export function serveTiles(http: Http, { config, nowMs }: CommonParts): TileSets {
  const tiles = tileSets({
    folder: config.tilesDir ?? join(config.dataDir, 'tiles'),
    reader: tileReader({ limitMs: LIMIT_MS }),
    nowMs,
  });
  tileRoutes({ ...http, tiles });
  return tiles;
}
