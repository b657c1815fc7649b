import type { missionSorts } from '@osprey/contract';
import { sql } from 'kysely';
import { keyset } from '../../base/db/keyset.ts';

type SortName = (typeof missionSorts)[number];

export type SortKey = SortName | `-${SortName}`;
export const NEWEST_FIRST: SortKey = '-creationTime';

export const { sortBy, isAfter, readCursor, cutPage } = keyset<SortName>({
  compared: {
    state: sql`missions.state`,
    name: sql`lower(missions.name)`,
    description: sql`lower(missions.description)`,
    platform: sql`lower(missions.platform_name)`,
    country: sql`missions.country_name`,
    startTime: sql`missions.start_time`,
    endTime: sql`missions.end_time`,
    rating: sql`missions.rating`,
    views: sql`missions.views`,
    creationTime: sql`missions.creation_time`,
    securityClassification: sql`missions.classification`,
  },
  id: sql`missions.id`,
  neverNull: ['creationTime'],
  numbers: ['startTime', 'endTime', 'rating', 'views', 'creationTime', 'securityClassification'],
});
