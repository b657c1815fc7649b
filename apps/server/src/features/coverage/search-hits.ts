import { classificationOf, clearSearchHits, listSearchHits, SEARCH_HITS_MAX, seeSearchHits } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import type { ReadSessions } from '../../base/audit/read-sessions.ts';
import type { Database } from '../../base/db/schema.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import { readableSensors } from '../../media/play/covered-minutes.ts';
import { labelledNames } from './lookback.ts';

/**
 * Time after its last sighting for which a place still counts as in sight, in microseconds. Footprints arrive every 1.5
 * s.
 */
const IN_SIGHT_US = 10e6;

/** Routes for the hits of the caller's saved searches. Access rights are checked at each request. */
export function searchHitRoutes(deps: Http & { db: Kysely<Database>; sessions: ReadSessions }): void {
  const { db, sessions, nowUs } = deps;
  const ofOwn = (userId: string) =>
    sql<boolean>`search_hits.search_id in (select id from saved_searches where user_id = ${userId})`;

  callRoute(deps, listSearchHits, async ({ actor, audit }) => {
    const rows = await readableSensors(db, actor)
      .innerJoin('search_hits', 'search_hits.sensor_id', 'sensors.id')
      .innerJoin('saved_searches', 'saved_searches.id', 'search_hits.search_id')
      .where('saved_searches.user_id', '=', actor.id)
      .where('search_hits.notified', 'is not', null)
      .where('search_hits.cleared', '=', false)
      .select(labelledNames)
      .select(['search_hits.id as _id', 'search_hits.search_id as searchId', 'saved_searches.name as search'])
      .select(['search_hits.first', 'search_hits.seen', 'search_hits.in_sight', 'sensors.time_shift'])
      .orderBy('search_hits.notified', 'desc')
      .orderBy('search_hits.id')
      .limit(SEARCH_HITS_MAX)
      .execute();
    const hits = rows.map(({ classification, first, in_sight, time_shift, ...row }) => ({
      ...row,
      securityClassification: classificationOf(classification),
      first: first * 1e6 + time_shift,
      now: nowUs() - in_sight < IN_SIGHT_US,
    }));
    const read = new Map(hits.map(({ missionId, securityClassification }) => [missionId, securityClassification]));
    await sessions.read(
      actor.id,
      [...read].map(([id, label]) => ({ id, label })),
      audit,
    );
    return hits;
  });

  callRoute(deps, seeSearchHits, async ({ actor }) => {
    await db.updateTable('search_hits').set({ seen: true }).where(ofOwn(actor.id)).where('seen', '=', false).execute();
    return { message: 'Seen' };
  });

  // Rows are kept when hits are cleared, so that a place still in sight does not notify again.
  callRoute(deps, clearSearchHits, async ({ actor }) => {
    await db.updateTable('search_hits').set({ cleared: true }).where(ofOwn(actor.id)).execute();
    return { message: 'Cleared' };
  });
}
