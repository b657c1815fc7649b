import type { MissionFilter } from '@osprey/contract';
import { type RawBuilder, sql } from 'kysely';
import { partPattern } from '../../base/db/keyset.ts';
import { queryAreas, touches, touchesLine } from '../../base/db/query-geometry.ts';
import { isMissionOfGroups } from '../../base/items/missions.ts';

/** Returns the SQL conditions of missions/brief, apart from visibility; a list matches if any of its items matches. */
export function conditions(filter: MissionFilter): RawBuilder<boolean>[] {
  const { ids, start, end, tags, country_codes, usergroups, geometry, aoiMode = 'sensorArea', search } = filter;
  const found: RawBuilder<boolean>[] = [];
  if (ids?.length) found.push(sql`missions.id = any (${ids}::uuid[])`);
  // A mission that has no times yet is filtered by its creation time, so that new missions do not disappear.
  if (start !== undefined) {
    found.push(
      sql`(missions.end_time >= ${start} or (missions.end_time is null and missions.creation_time >= ${start}))`,
    );
  }
  if (end !== undefined) {
    found.push(
      sql`(missions.start_time <= ${end} or (missions.start_time is null and missions.creation_time <= ${end}))`,
    );
  }
  if (tags?.length) found.push(sql`missions.tags && ${tags}::text[]`);
  if (country_codes?.length) found.push(sql`missions.country_code = any (${country_codes}::text[])`);
  if (usergroups?.length) {
    found.push(isMissionOfGroups(sql`${usergroups}::uuid[]`));
  }
  if (geometry !== undefined) {
    const compare = aoiMode === 'sensorArea' ? touches : touchesLine;
    found.push(sql`missions.id in (select seen.mission_id from mission_shapes seen
      where seen.aoi_mode = ${aoiMode} and ${compare(queryAreas(geometry), sql`seen.shape`)})`);
  }
  for (const word of (search ?? '').split(/\s+/).filter((one) => one !== '')) {
    // `lower` is that of the database, which made the text: `ilike` would do the same for each row.
    found.push(sql`missions.head_text like lower(${partPattern(word)})`);
  }
  return found;
}
