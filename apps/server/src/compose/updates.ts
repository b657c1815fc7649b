import type { Config } from '../base/config/config.ts';
import type { Http } from '../base/http/call-route.ts';
import type { UpdateSource } from '../features/updates/packages.ts';
import { updateRoutes } from '../features/updates/routes.ts';

/** Lists update packages of the site. */
export function serveUpdates(http: Http, config: Readonly<Config>): void {
  updateRoutes({ ...http, source: sourceOf(config) });
}

const sourceOf = ({ updateDir, updateKey }: Config): UpdateSource | null =>
  updateDir === null || updateKey === null ? null : { folder: updateDir, keyFile: updateKey };
