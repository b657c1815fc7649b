import { Readable } from 'node:stream';
import { getMapConfig, getMapTile } from '@osprey/contract';
import type { FastifyReply } from 'fastify';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { Tile } from './tile-set.ts';
import type { TileSets } from './tile-sets.ts';

/** Tiles may be cached for long, since their address contains the version of the file. */
const KEEP = 'private, max-age=604800, immutable';

/** Routes of the site's map layers and their tiles, for all accounts. */
export function tileRoutes(deps: Http & { tiles: TileSets }): void {
  const { tiles } = deps;

  callRoute(deps, getMapConfig, async () => ({ layers: await tiles.layers() }));

  callRoute(deps, getMapTile, async ({ input: { params }, request, reply }) => {
    const { layer, z, x, y } = params;
    const tag = `"${await tiles.versionOf(layer)}-${z}-${x}-${y}"`;
    if (request.headers['if-none-match'] === tag) return reply.code(304).header('etag', tag).send();
    const tile = await tiles.tile(layer, [z, x, y]);
    reply.header('etag', tag).header('cache-control', KEEP);
    return sendTile(reply, tile);
  });
}

/** Sends a tile, or status 204 if there is none. */
export function sendTile(reply: FastifyReply, tile: Tile | null): Readable | FastifyReply {
  if (tile === null) return reply.code(204).send();
  reply.type(tile.type).header('content-length', tile.bytes.byteLength);
  if (tile.packed) reply.header('content-encoding', 'gzip');
  return Readable.from([Buffer.from(tile.bytes)]);
}
