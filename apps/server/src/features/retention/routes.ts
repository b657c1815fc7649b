import {
  createRetentionRule,
  deleteRetentionRule,
  getStorageForecast,
  listRetentionRules,
  updateRetentionRule,
} from '@osprey/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { storageForecast } from './forecast.ts';
import { retentionRules } from './rules.ts';

export type RetentionRoutesDeps = Http & { db: Kysely<Database>; storage: Storage; aisKeepDays: number };

/** Routes of retention rules and of the disk forecast, for admins. */
export function retentionRoutes(deps: RetentionRoutesDeps): void {
  const { db, storage, nowUs } = deps;
  const rules = retentionRules({ db, nowUs });

  callRoute(deps, listRetentionRules, ({ actor }) => rules.list(actor));
  callRoute(deps, createRetentionRule, ({ input: { body }, actor }) => rules.create(actor, body));
  callRoute(deps, updateRetentionRule, ({ input: { params, body }, actor }) => rules.update(actor, params.id, body));
  callRoute(deps, deleteRetentionRule, async ({ input: { params } }) => {
    await rules.remove(params.id);
    return { message: 'The rule was removed.' };
  });
  callRoute(deps, getStorageForecast, () => storageForecast({ db, storage, aisKeepDays: deps.aisKeepDays }, nowUs()));
}
