import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError } from '@osprey/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendTile } from './routes.ts';
import type { TileReader } from './tile-reader.ts';
import { TileFault } from './tile-set.ts';
import { versionOf } from './tile-sets.ts';

const ADDRESS = '/base-map/fine';
const NUMBER = /^\d{1,4}$/;
/** Cache lifetime after which a newly opened map notices that the file was replaced. */
const CACHE_CONTROL = 'public, max-age=30';

type BaseMapDeps = {
  app: FastifyInstance;
  reader: TileReader;
  /** File created by `npm run base-map -- fine`; most servers have none. */
  path: string;
  log: { warn: (fields: object, text: string) => void };
};

/**
 * Routes of coasts, lakes and rivers in finer resolution than those of the build, if their file was created on this
 * server. Like the files of the build, they are public.
 */
export function baseMapRoutes({ app, reader, path, log }: BaseMapDeps): void {
  async function fileRef() {
    const file = await stat(path).catch(() => null);
    return file?.isFile() ? { path, name: basename(path), version: versionOf(file) } : null;
  }

  async function describe() {
    const file = await fileRef();
    if (file === null) return null;
    try {
      const { minZoom, maxZoom, attribution } = await reader.facts(file);
      const tiles = `${ADDRESS}/{z}/{x}/{y}?v=${file.version}`;
      return { tiles, minZoom, maxZoom, attribution };
    } catch (error) {
      if (!(error instanceof TileFault)) throw error;
      log.warn({ path, fault: error.message }, 'the fine base map cannot be read: make it again');
      return null;
    }
  }

  const route = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
    app.route({ method: 'GET', url, config: { policy: 'public.use' }, handler });

  route(`${ADDRESS}.json`, async (_request, reply) => {
    const base = await describe();
    if (base === null) return reply.code(204).header('cache-control', 'no-store').send();
    return reply.header('cache-control', CACHE_CONTROL).send(base);
  });

  route(`${ADDRESS}/:z/:x/:y`, async (request, reply) => {
    const { z = '', x = '', y = '' } = request.params as Record<string, string>;
    if (![z, x, y].every((part) => NUMBER.test(part))) throw new AppError('notFound');
    const file = await fileRef();
    if (file === null) throw new AppError('notFound');
    const tile = await reader.tile(file, [Number(z), Number(x), Number(y)]).catch((error) => {
      if (error instanceof TileFault) throw new AppError('notFound', {}, error);
      throw error;
    });
    reply.header('cache-control', 'public, max-age=604800, immutable');
    return sendTile(reply, tile);
  });
}
