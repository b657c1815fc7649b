import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../base/config/config.ts';
import { docsRoutes } from '../base/http/docs-routes.ts';
import { staticRoutes } from '../base/http/static.ts';
import { manualRoutes } from '../features/manual/routes.ts';
import { CHECK_PAGE } from './case-exports.ts';

const MANUAL_FOLDER = resolve(import.meta.dirname, '../../../../docs/manual');
const WEB_FOLDER = resolve(import.meta.dirname, '../../../../dist/web');

type Options = { tls: boolean } & Pick<Config, 'livekitUrl'>;

/** Serves the web client, the manual, and the description of the API. */
export async function servePages(app: FastifyInstance, { tls, livekitUrl }: Options): Promise<void> {
  docsRoutes(app);
  await manualRoutes(app, { folder: MANUAL_FOLDER, checkPage: CHECK_PAGE });
  // LiveKit's client asks its server over http too, before it opens a socket.
  const callServers = livekitUrl === null ? [] : [livekitUrl, livekitUrl.replace(/^ws/, 'http')];
  await staticRoutes(app, WEB_FOLDER, { tls, callServers });
}
