import { z } from 'zod';
import { defineCall, done } from './core/call.ts';

/** Id of a tile set of this site, derived by the server from the file name. */
const layerId = z.string().regex(/^[0-9a-f]{16}$/);

export const mapLayer = z.object({
  _id: layerId,
  /** Title stated in the file; otherwise the file name. */
  title: z.string(),
  /** Attribution as plain text; empty if the file has none. */
  attribution: z.string(),
  kind: z.enum(['raster', 'vector']),
  /** URL template of the tiles, with {z}, {x} and {y} for zoom, column and row, counted from the upper left. */
  tileLayer: z.string(),
  minZoom: z.int(),
  maxZoom: z.int(),
  /** West, south, east, north; null if the file does not state bounds. */
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

/** A file of map tiles in the server's folder. */
export const tileFile = z.object({
  _id: layerId,
  /** Name of the file. */
  name: z.string(),
  sizeBytes: z.int(),
  /** Layer that the file provides in the map menus; null for a file that cannot be shown. */
  layer: mapLayer.nullable(),
  /** Reason why the file cannot be shown, without a full stop; null if it can. */
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
    /** Path of the folder on the server, for its administrator. */
    folder: z.string(),
    files: z.array(tileFile),
  }),
  errors: ['notSignedIn', 'forbidden'],
});

/**
 * Adds a tile file that was uploaded with the tus protocol to /api/uploads, with the metadata `filename` and the
 * purpose `tiles`.
 */
export const addTileFile = defineCall({
  method: 'POST',
  path: '/map/files',
  summary: 'Creates a map layer from an uploaded .mbtiles or .pmtiles file, after checking its tiles',
  action: 'tiles.manage',
  input: z.object({
    body: z.strictObject({
      /** Id of the completed upload. */
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

/** Maximum zoom level: deeper than any chart, and tile numbers still fit in 24 bits. */
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
    /** Version of the file, so that tiles can be cached forever under one address. */
    query: z.object({ v: z.string().max(32).optional() }),
  }),
  answer: z.unknown(),
  raw: 'media',
  errors: ['invalid', 'notSignedIn', 'notFound', 'unavailable'],
});
