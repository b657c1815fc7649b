import { z } from 'zod';
import { defineCall, done } from './core/call.ts';

/** Id of a tile set of this site, made by the server from the file name. */
const layerId = z.string().regex(/^[0-9a-f]{16}$/);

export const mapLayer = z.object({
  _id: layerId,
  /** Title stated in the file, else the file name. */
  title: z.string(),
  /** Plain text; empty if the file has none. */
  attribution: z.string(),
  kind: z.enum(['raster', 'vector']),
  /** Address of the tiles, with {z}, {x} and {y} for zoom, column and row from the upper left. */
  tileLayer: z.string(),
  minZoom: z.int(),
  maxZoom: z.int(),
  /** West, south, east, north; null where the file does not say. */
  bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
  /** Names of the layers inside vector tiles. */
  vectorLayers: z.array(z.string()),
});
export type MapLayer = z.output<typeof mapLayer>;

export const getMapConfig = defineCall({
  method: 'GET',
  path: '/mapconfig',
  summary: 'Lists the map layers of this site, by title',
  action: 'lookup.read',
  input: z.object({}),
  answer: z.object({ layers: z.array(mapLayer) }),
  errors: ['notSignedIn'],
});

/** A file of tiles in the server's folder. */
export const tileFile = z.object({
  _id: layerId,
  /** Name of the file. */
  name: z.string(),
  sizeBytes: z.int(),
  /** Layer that the file becomes in the menus of maps; null for a file that cannot be shown. */
  layer: mapLayer.nullable(),
  /** Reason why it cannot be shown, without a full stop; null where it is shown. */
  fault: z.string().nullable(),
});
export type TileFile = z.output<typeof tileFile>;

export const listTileFiles = defineCall({
  method: 'GET',
  path: '/map/files',
  summary: 'Lists the files of map tiles on this server, also those that cannot be shown',
  action: 'tiles.manage',
  input: z.object({}),
  answer: z.object({
    /** The folder on the server, as its administrator knows it. */
    folder: z.string(),
    files: z.array(tileFile),
  }),
  errors: ['notSignedIn', 'forbidden'],
});

/** Files are uploaded by tus to /api/uploads, metadata: filename, and purpose `tiles`. */
export const addTileFile = defineCall({
  method: 'POST',
  path: '/map/files',
  summary: 'Creates a map layer from an uploaded .mbtiles or .pmtiles file, after checking its tiles',
  action: 'tiles.manage',
  input: z.object({
    body: z.strictObject({
      /** Id of the whole upload. */
      upload: z.uuid(),
    }),
  }),
  answer: tileFile,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'badFile', 'ruleRefused', 'diskFull', 'unavailable'],
});

export const removeTileFile = defineCall({
  method: 'DELETE',
  path: '/map/files/:layer',
  summary: 'Deletes a file of map tiles from the server',
  action: 'tiles.manage',
  input: z.object({ params: z.object({ layer: layerId }) }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'ruleRefused'],
});

const index = (most: number) =>
  z
    .string()
    .regex(/^\d{1,8}$/)
    .transform(Number)
    .pipe(z.int().max(most));

/** Deeper than any chart; up to this zoom tile numbers fit 24 bits. */
const ZOOM_MAX = 24;

export const getMapTile = defineCall({
  method: 'GET',
  path: '/map/tiles/:layer/:z/:x/:y',
  summary: 'Returns one tile: PNG, JPEG or WebP, or a Mapbox vector tile. 204 if the file has none there',
  action: 'lookup.read',
  input: z.object({
    params: z.object({
      layer: layerId,
      z: index(ZOOM_MAX),
      x: index(2 ** ZOOM_MAX - 1),
      y: index(2 ** ZOOM_MAX - 1),
    }),
    /** Which version of the file is meant: tiles may be kept under an address for ever. */
    query: z.object({ v: z.string().max(32).optional() }),
  }),
  answer: z.unknown(),
  raw: 'media',
  errors: ['invalid', 'notSignedIn', 'notFound', 'unavailable'],
});
