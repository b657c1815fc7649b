import { getStoredCheck } from '@osprey/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { readSetting } from '../../base/db/settings.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { StoredFiles } from '../../base/stored/stored-files.ts';
import { rateOf } from './check.ts';

export type StoredRoutesDeps = Http & { db: Kysely<Database>; stored: StoredFiles };

/** Route for the progress of the daily check of stored files. */
export function storedRoutes(deps: StoredRoutesDeps): void {
  const { db, stored } = deps;

  callRoute(deps, getStoredCheck, async () => {
    const [last, totalBytes, notHashed, open, oldestRead] = await Promise.all([
      readSetting(db, 'storedCheck'),
      stored.totalBytes(),
      stored.countNotHashed(),
      stored.open(),
      stored.oldestRead(),
    ]);
    const rate = last && rateOf(last, deps.nowUs());
    return { last, totalBytes, notHashed, damaged: open.length, oldestRead, rate };
  });
}
