import {
  deleteSitePlaceList,
  foldedName,
  getSitePlaceList,
  putSitePlaceList,
  type SitePlaceList,
  searchSitePlaces,
} from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import { readPlaces } from './read-list.ts';

const FOUND = 8;
/** Maximum number of rows per insert. */
const ROWS = 2000;

/**
 * Routes for place names that the site adds to those of its base map. They have no label: every user of the server
 * finds them.
 */
export function placeRoutes(deps: Http & { db: Kysely<Database> }): void {
  const { db, nowUs } = deps;

  callRoute(deps, searchSitePlaces, async ({ input: { query } }) => {
    const requested = foldedName(query.search.trim()).replaceAll(/[\\%_]/g, '\\$&');
    if (requested === '') return [];
    const isComplete = sql<boolean>`folded like ${`${requested}%`}`;
    return db
      .selectFrom('site_places')
      .select(['name', 'kind', 'lat', 'lon'])
      .where(sql<boolean>`(${isComplete} or folded like ${`% ${requested}%`})`)
      .orderBy(isComplete, 'desc')
      .orderBy('folded')
      .orderBy('line')
      .limit(query.limit ?? FOUND)
      .execute();
  });

  callRoute(deps, getSitePlaceList, async () => ({ list: await listOf(db) }));

  callRoute(deps, putSitePlaceList, async ({ input: { body }, actor, audit }) => {
    const { places, problems, count } = readPlaces(body.text);
    if (count > 0) {
      await audit.write({ action: 'places.manage', result: 'invalid', reason: body.fileName });
      return { list: null, problems, count };
    }
    await audit.write({ action: 'places.manage', result: `${places.length} places`, reason: body.fileName });
    const list = await db.transaction().execute(async (tx) => {
      await sql`lock table site_place_list in exclusive mode`.execute(tx);
      await tx.deleteFrom('site_places').execute();
      await tx.deleteFrom('site_place_list').execute();
      await tx
        .insertInto('site_place_list')
        .values({ file_name: body.fileName, uploaded: nowUs(), user_id: actor.id })
        .execute();
      for (let at = 0; at < places.length; at += ROWS) {
        const rows = places.slice(at, at + ROWS).map((place) => ({ ...place, folded: foldedName(place.name) }));
        await tx.insertInto('site_places').values(rows).execute();
      }
      return listOf(tx);
    });
    return { list, problems: [], count: 0 };
  });

  callRoute(deps, deleteSitePlaceList, async ({ audit }) => {
    const list = await listOf(db);
    await audit.write({ action: 'places.manage', result: 'deleted', ...(list && { reason: list.fileName }) });
    await db.transaction().execute(async (tx) => {
      await tx.deleteFrom('site_place_list').execute();
      await tx.deleteFrom('site_places').execute();
    });
    return { message: 'The list of places was deleted.' };
  });
}

async function listOf(db: Kysely<Database>): Promise<SitePlaceList | null> {
  const row = await db
    .selectFrom('site_place_list')
    .leftJoin('users', 'users.id', 'site_place_list.user_id')
    .select(['site_place_list.file_name as fileName', 'site_place_list.uploaded', 'users.username as by'])
    .select(({ selectFrom, fn }) => selectFrom('site_places').select(fn.countAll<number>().as('count')).as('count'))
    .executeTakeFirst();
  return row === undefined ? null : { ...row, count: Number(row.count) };
}
