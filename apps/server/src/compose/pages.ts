import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { docsRoutes } from '../base/http/docs-routes.ts';
import { staticRoutes } from '../base/http/static.ts';
import { manualRoutes } from '../features/manual/routes.ts';

const MANUAL_FOLDER = resolve(import.meta.dirname, '../../../../docs/manual');
const WEB_FOLDER = resolve(import.meta.dirname, '../../../../dist/web');

/** Serves the web client, the manual, and the description of the API. */
export async function servePages(app: FastifyInstance, { tls }: { tls: boolean }): Promise<void> {
  docsRoutes(app);
  await manualRoutes(app, MANUAL_FOLDER);
  await staticRoutes(app, WEB_FOLDER, { tls });
}
