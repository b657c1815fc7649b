import { type Actor, type CaseFacts, type CaseRow, can, classificationOf } from '@osprey/contract';
import { type SelectQueryBuilder, sql } from 'kysely';
import { knowsGroup } from '../../base/access/known-groups.ts';
import type { Database } from '../../base/db/schema.ts';
import type { CaseDb } from './contents.ts';
import { isReadablePart } from './readable.ts';

type Editor = { _id: string; username: string };

const groupsOfCase = sql<string[]>`array(
  select usergroup_id::text from case_usergroups where case_id = cases.id order by usergroup_id)`;

const editorsOfCase = sql<Editor[]>`coalesce((
  select json_agg(json_build_object('_id', held.id, 'username', held.username) order by held.username)
  from case_editors editor join users held on held.id = editor.user_id and held.deleted_time is null
  where editor.case_id = cases.id), '[]')`;

/** Columns of a case as people see it, with the number of parts that the actor may read. */
export function selectCase<T>({ contents }: CaseDb, actor: Actor, query: SelectQueryBuilder<Database, 'cases', T>) {
  return query
    .selectAll('cases')
    .select([groupsOfCase.as('usergroups'), editorsOfCase.as('editors')])
    .select(
      sql<boolean>`exists (select from users where users.id = cases.owner_id and users.deleted_time is null)`.as(
        'owner_there',
      ),
    )
    .select(sql<number>`(select count(*) from case_comments where case_comments.case_id = cases.id)`.as('comments'))
    .select(
      sql<number>`(select count(*) from case_parts
      where case_parts.case_id = cases.id and case_parts.removed_time is null and ${isReadablePart(contents, actor)})`.as(
        'parts',
      ),
    );
}

export type StoredCase = Awaited<ReturnType<ReturnType<typeof selectCase<object>>['executeTakeFirstOrThrow']>>;

/** Facts with the case's id, so that the audit can name the item. */
export type NamedCaseFacts = CaseFacts & { id: string };

export const factsOfCase = (row: StoredCase): NamedCaseFacts => ({
  id: row.id,
  securityClassification: classificationOf(row.classification),
  audience: row.audience,
  usergroups: row.usergroups,
  draft: false,
  authorId: row.owner_id,
  editors: row.editors.map(({ _id }) => _id),
});

/** A row in the contract's shape. */
export function toCase(row: StoredCase, actor: Actor): CaseRow {
  const facts = factsOfCase(row);
  const editable = can(actor, 'case.update', facts).allowed;
  return {
    _id: row.id,
    number: row.number,
    name: row.name,
    description: row.description,
    securityClassification: facts.securityClassification,
    ownClassification: classificationOf(row.own_classification),
    marked: row.marked,
    audience: row.audience,
    usergroups: row.usergroups.filter((id) => knowsGroup(actor, id)),
    owner: row.owner,
    ownerId: row.owner_there ? row.owner_id : null,
    editors: editable ? row.editors : [],
    parts: row.parts,
    comments: row.comments,
    held: row.held,
    created: row.created,
    changed: row.changed,
    revision: row.revision,
    deletedTime: row.deleted_time,
    editable,
    deletable: can(actor, 'case.delete', facts).allowed,
    holdable: can(actor, 'case.hold', facts).allowed,
    exportable: can(actor, 'case.export', facts).allowed,
  };
}
