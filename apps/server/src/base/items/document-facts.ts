import { classificationOf, type DocumentFacts } from '@osprey/contract';
import { sql } from 'kysely';

/** Facts with the document's id, so that the audit can name the item. */
export type NamedDocumentFacts = DocumentFacts & { id: string };

/** The columns of a document that access rights depend on. */
type FactsRow = {
  id: string;
  classification: number;
  audience: 'everyone' | 'groups';
  edit_lock: boolean;
  usergroups: string[];
};

/** Ids of the groups of a row of `documents`, for a select. */
export const groupsOfDocument = sql<string[]>`array(
  select usergroup_id::text from document_usergroups where document_id = documents.id order by usergroup_id)`;

/** Names of the groups of a row of `documents`, for a select. */
export const groupNamesOfDocument = sql<string[]>`array(
  select name from document_usergroups join usergroups on usergroups.id = usergroup_id
  where document_id = documents.id order by name)`;

export const factsOfDocument = (row: FactsRow): NamedDocumentFacts => ({
  id: row.id,
  securityClassification: classificationOf(row.classification),
  audience: row.audience,
  usergroups: row.usergroups,
  draft: false,
  locked: row.edit_lock,
});
