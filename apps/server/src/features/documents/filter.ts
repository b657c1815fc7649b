import type { DocumentFilter } from '@osprey/contract';
import { type RawBuilder, sql } from 'kysely';
import { partPattern } from '../../base/db/keyset.ts';
import { queryAreas, touches } from '../../base/db/query-geometry.ts';
import { wordsOf } from './words.ts';

/** Maximum number of words that a search takes into account; further words are ignored. */
const WORDS_MAX = 10;

/**
 * Returns the SQL conditions of GET documents, apart from visibility. A document matches a list if it matches any of
 * its items, and a search if it contains all of its words.
 */
export function conditions(filter: DocumentFilter): RawBuilder<boolean>[] {
  const { start, end, tags, usergroups, geometry, documentType, search } = filter;
  const found: RawBuilder<boolean>[] = [];
  if (start !== undefined) found.push(sql`documents.creation_time >= ${start}`);
  if (end !== undefined) found.push(sql`documents.creation_time <= ${end}`);
  if (tags?.length) found.push(sql`documents.tags && ${tags}::text[]`);
  if (documentType?.length) found.push(sql`documents.document_type = any (${documentType}::text[])`);
  if (usergroups?.length) {
    found.push(sql`exists (select from document_usergroups wanted
      where wanted.document_id = documents.id and wanted.usergroup_id = any (${usergroups}::uuid[]))`);
  }
  if (geometry !== undefined) {
    const isThere = touches(queryAreas(geometry), sql`place.shape`);
    found.push(sql`documents.id in (select place.document_id from document_shapes place where ${isThere})`);
  }
  const words = (search ?? '').split(/\s+/).filter((one) => one !== '');
  if (words.length > 0) {
    const each = words.slice(0, WORDS_MAX).map(holdsWord);
    // The subquery lets both text indexes find the rows before they are sorted; scanning all rows in sort order would
    // be slower.
    found.push(
      sql`documents.id = any (array(select found.id from documents found where ${sql.join(each, sql` and `)}))`,
    );
  }
  return found;
}

/** Matches a word anywhere in the title fields, or at the beginning of a word of the text inside. */
function holdsWord(word: string): RawBuilder<boolean> {
  const inHead = sql<boolean>`found.head_text ilike ${partPattern(word)}`;
  const parts = wordsOf(word);
  if (parts.length === 0) return inHead;
  // The parts consist of letters and digits only, so that they contain no operators of a text query.
  const query = `${parts.map((part) => `'${part}'`).join(' <-> ')}:*`;
  return sql`(${inHead} or found.body_words @@ ${query}::tsquery)`;
}
