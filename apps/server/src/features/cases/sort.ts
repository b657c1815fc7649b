import type { caseSorts } from '@osprey/contract';
import { sql } from 'kysely';
import { keyset } from '../../base/db/keyset.ts';

type SortName = (typeof caseSorts)[number];

export type SortKey = SortName | `-${SortName}`;
export const LAST_CHANGED_FIRST: SortKey = '-changed';

export const { cutPage, readCursor, sortBy, isAfter } = keyset<SortName>({
  compared: {
    name: sql`lower(cases.name)`,
    number: sql`cases.number`,
    created: sql`cases.created`,
    changed: sql`cases.changed`,
    securityClassification: sql`cases.classification`,
  },
  id: sql`cases.id`,
  neverNull: ['name', 'number', 'created', 'changed', 'securityClassification'],
  numbers: ['number', 'created', 'changed', 'securityClassification'],
});
