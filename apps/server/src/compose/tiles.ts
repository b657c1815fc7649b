import { join } from 'node:path';
import type { Config } from '../base/config/config.ts';
import type { Http } from '../base/http/call-route.ts';
import { baseMapRoutes } from '../features/tiles/base-map.ts';
import { tileFileRoutes } from '../features/tiles/file-routes.ts';
import { tileRoutes } from '../features/tiles/routes.ts';
import { tileFiles } from '../features/tiles/tile-files.ts';
import { tileReader } from '../features/tiles/tile-reader.ts';
import { tileSets } from '../features/tiles/tile-sets.ts';
import type { Dependencies } from './dependencies.ts';
import type { Uploads } from './uploads.ts';

/**
 * Time limit for reading tiles, in milliseconds. A tile takes about a millisecond, and the first access to a large file
 * about a hundred.
 */
const LIMIT_MS = 5000;
/** Time limit for reading 50 tiles of a new file, in milliseconds; in the worst case its pages are on a slow disk. */
const JUDGE_LIMIT_MS = 30_000;

/** Path of the fine base map, made by `npm run base-map -- fine`. */
export const fineBaseMap = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'base-map.mbtiles');

/** Opens the site's own charts. */
export function openTiles({ config, nowMs }: Dependencies) {
  const reader = tileReader({ limitMs: LIMIT_MS });
  const sets = tileSets({ folder: config.tilesDir ?? join(config.dataDir, 'tiles'), reader, nowMs });
  return { tiles: { reader, sets } };
}

export type Tiles = ReturnType<typeof openTiles>;

type Options = { http: Http; dependencies: Dependencies } & Tiles & Pick<Uploads, 'uploads'>;

/** Serves charts of the site, and lets administrators add and remove them. */
export function serveTiles({ http, dependencies, tiles, uploads }: Options): { close: () => void } {
  const { config, storage, events, log } = dependencies;
  const { reader, sets } = tiles;
  const files = tileFiles({ sets, storage, uploads, newReader: () => tileReader({ limitMs: JUDGE_LIMIT_MS }) });
  baseMapRoutes({ app: http.app, reader, path: fineBaseMap(config), log });
  tileRoutes({ ...http, tiles: sets });
  tileFileRoutes({ ...http, sets, files, changed: events.mapLayersChanged });
  return { close: sets.close };
}
