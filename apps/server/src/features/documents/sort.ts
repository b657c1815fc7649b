import type { documentSorts } from '@osprey/contract';
import { sql } from 'kysely';
import { keyset } from '../../base/db/keyset.ts';

type SortName = (typeof documentSorts)[number];

export type SortKey = SortName | `-${SortName}`;
export const NEWEST_FIRST: SortKey = '-creationTime';

export const { cutPage, readCursor, sortBy, isAfter } = keyset<SortName>({
  compared: {
    documentType: sql`documents.document_type`,
    title: sql`lower(documents.title)`,
    description: sql`lower(documents.description)`,
    platformName: sql`lower(documents.platform_name)`,
    restricted: sql`documents.edit_lock::int`,
    author: sql`lower(documents.author)`,
    creationTime: sql`documents.creation_time`,
    securityClassification: sql`documents.classification`,
  },
  id: sql`documents.id`,
  neverNull: ['creationTime', 'title'],
  numbers: ['restricted', 'creationTime', 'securityClassification'],
});
