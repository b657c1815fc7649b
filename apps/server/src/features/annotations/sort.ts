import type { annotationSorts } from '@osprey/contract';
import { sql } from 'kysely';
import { keyset } from '../../base/db/keyset.ts';

type SortName = (typeof annotationSorts)[number];

export type SortKey = SortName | `-${SortName}`;
export const NEWEST_FIRST: SortKey = '-creationTime';

export const { cutPage, readCursor, sortBy, isAfter } = keyset<SortName>({
  compared: {
    title: sql`lower(annotations.title)`,
    description: sql`lower(annotations.description)`,
    tags: sql`lower(array_to_string(annotations.tags, ', '))`,
    geometries: sql`annotations.geometries`,
    restricted: sql`annotations.edit_lock::int`,
    author: sql`lower(annotations.author)`,
    creationTime: sql`annotations.creation_time`,
    securityClassification: sql`annotations.classification`,
  },
  id: sql`annotations.id`,
  neverNull: ['title', 'geometries', 'creationTime'],
  numbers: ['geometries', 'restricted', 'creationTime', 'securityClassification'],
});
