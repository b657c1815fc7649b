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
  for (const word of (search ?? '').split(/\s+/).filter((one) => one !== '')) found.push(holdsWord(word));
  return found;
}

function holdsWord(word: string): RawBuilder<boolean> {
  const pattern = partPattern(word);
  return sql`(missions.name ilike ${pattern} or missions.description ilike ${pattern}
    or missions.platform_name ilike ${pattern} or array_to_string(missions.tags, ' ') ilike ${pattern})`;
}
