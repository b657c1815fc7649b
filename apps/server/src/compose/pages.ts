import { resolve } from 'node:path';
import type { Http } from '../base/http/call-route.ts';
import { docsRoutes } from '../base/http/docs-routes.ts';
import { staticRoutes } from '../base/http/static.ts';
import { manualRoutes } from '../features/manual/routes.ts';
import { CHECK_PAGE } from './case-exports.ts';
import type { Dependencies } from './dependencies.ts';

const MANUAL_FOLDER = resolve(import.meta.dirname, '../../../../docs/manual');
const WEB_FOLDER = resolve(import.meta.dirname, '../../../../dist/web');

/** Serves the web client, the manual, and the description of the API. */
export async function servePages({
  http,
  dependencies,
  tls,
}: {
  http: Http;
  dependencies: Dependencies;
  tls: boolean;
}): Promise<void> {
  const { app } = http;
  const { livekitUrl } = dependencies.config;
  docsRoutes(app);
  await manualRoutes(app, { folder: MANUAL_FOLDER, checkPage: CHECK_PAGE });
  // LiveKit's client also sends HTTP requests to its server before it opens a socket.
  const callServers = livekitUrl === null ? [] : [livekitUrl, livekitUrl.replace(/^ws/, 'http')];
  await staticRoutes(app, WEB_FOLDER, { tls, callServers });
}
