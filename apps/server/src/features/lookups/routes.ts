import { listCountryCodes, listPlatformTypes, listTags, platformTypes } from '@osprey/contract';
// This entry point loads no languages; the default one for Node loads eighty.
import countries from 'i18n-iso-countries/index.js';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import { visible } from '../../base/items/visibility.ts';
import { columnOf, visibleRows } from '../../base/items/visible.ts';

/**
 * Routes for the choices of filters and dialogs. They contain only words of visible items, since others would reveal
 * hidden items.
 */
export function lookupRoutes(deps: Http & { db: Kysely<Database> }): void {
  countries.registerLocale(english);
  const all = Object.entries(countries.getNames('en', { select: 'official' }))
    .map(([code, name]) => ({ code, name }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));

  callRoute(deps, listTags, async ({ input: { query }, actor }) => {
    const kinds = deps.items.kinds.filter(
      ({ tags, item, noun }) => tags === true && (!query.category || [item, noun].includes(query.category)),
    );
    const rows: string[] = [];
    for (const kind of kinds) {
      const tag = sql<string>`unnest(${columnOf(kind, 'tags')})`.as('tag');
      const found = await visibleRows(kind, deps.db, actor).select(tag).distinct().execute();
      rows.push(...found.map((row) => row.tag));
    }
    return [...new Set(rows)].sort((a, b) => a.localeCompare(b, 'en'));
  });

  callRoute(deps, listCountryCodes, async ({ input: { query }, actor }) => {
    if (query.used !== '1' && query.used !== 'true') return all;
    const rows = await visible(deps.db, actor)
      .select('missions.country_code')
      .distinct()
      .where('missions.country_code', 'is not', null)
      .execute();
    const used = new Set(rows.map((row) => row.country_code));
    return all.filter(({ code }) => used.has(code));
  });

  callRoute(deps, listPlatformTypes, async () => [...platformTypes]);
}
