import { getUpdates, PRODUCT_VERSION } from '@osprey/contract';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import { type UpdateSource, updatePackages } from './packages.ts';

export type UpdateDeps = Http & {
  /** Null: this site has no source of updates. */
  source: UpdateSource | null;
};

/** The update packages of the site. */
export function updateRoutes({ source, ...http }: UpdateDeps): void {
  const packages = source === null ? null : updatePackages({ source, installed: PRODUCT_VERSION });

  callRoute(http, getUpdates, async () => ({
    installed: PRODUCT_VERSION,
    isSet: packages !== null,
    ...((await packages?.list()) ?? { problem: null, packages: [] }),
  }));
}
