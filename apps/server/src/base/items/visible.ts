import { type Actor, classificationRank, isAdmin } from '@osprey/contract';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '../access/as-system.ts';
import type { Database } from '../db/schema.ts';
import type { StoredItem } from './table.ts';

/** Columns that the table of every item has. */
type ItemRow = { id: string; classification: number; audience: 'everyone' | 'groups'; deleted_time: number | null };
type Tables = Database & { item: ItemRow };
/** Rows of any one kind of item. */
export type ItemRows = SelectQueryBuilder<Tables, 'item', object>;

type Table = Pick<StoredItem, 'table' | 'links' | 'draft' | 'author' | 'authorReads'>;

export const columnOf = ({ table }: Pick<StoredItem, 'table'>, column: string) => sql.ref(`${table}.${column}`);

/** Starts a query on rows that the rule `<item>.read` allows, outside the bin or in it. */
export function visibleRows(kind: Table, db: Db, actor: Actor, where: { inBin: boolean } = { inBin: false }): ItemRows {
  return (db as unknown as Kysely<Tables>)
    .selectFrom(kind.table as 'item')
    .where(columnOf(kind, 'deleted_time'), where.inBin ? 'is not' : 'is', null)
    .where(visibleTo(kind, actor));
}

/** Starts a query on items of one kind that the actor may read. */
export const visibleOf = <Stored extends StoredItem>(stored: Stored, db: Db, actor: Actor) =>
  visibleRows(stored, db, actor) as unknown as SelectQueryBuilder<Database, Stored['table'] & keyof Database, object>;

/** Returns the contract's rule `<item>.read` as SQL. Property tests verify that both give the same results. */
export const visibleTo = (kind: Table, actor: Actor) =>
  kind.draft === undefined ? isClearedAndShared(kind, actor) : isNoDraftFor(kind, kind.draft, actor);

/** Condition that the actor has the clearance and belongs to the audience. */
function isClearedAndShared(kind: Table, actor: Actor) {
  const groupIds = actor.groups.map((group) => group._id);
  const ceilings = actor.groups.map((group) => classificationRank(group.ceiling));
  const column = (name: string) => columnOf(kind, name);
  const isOwn =
    kind.authorReads && kind.author !== undefined && actor.role !== 'guest'
      ? sql<boolean>`${column(kind.author)} = ${actor.id}`
      : sql<boolean>`false`;
  return sql<boolean>`(
    ${column('classification')} <= ${classificationRank(actor.clearance)}
    and (
      ${actor.role === 'superAdmin'}::boolean
      or ${isOwn}
      or (${column('audience')} = 'everyone' and ${actor.role !== 'guest'}::boolean)
      or (${column('audience')} = 'groups' and exists (
        select from ${sql.table(kind.links.table)} link
        join unnest(${groupIds}::uuid[], ${ceilings}::int[]) as held (id, ceiling) on held.id = link.usergroup_id
        where ${sql.ref(`link.${kind.links.key}`)} = ${column('id')} and held.ceiling >= ${column('classification')}))
    )
  )`;
}

function isNoDraftFor(kind: Table, state: string, actor: Actor) {
  const administered = actor.role === 'groupAdmin' ? [...actor.administered] : [];
  const links = sql.table(kind.links.table);
  const isOfItem = sql`${sql.ref(`link.${kind.links.key}`)} = ${columnOf(kind, 'id')}`;
  return sql<boolean>`(
    ${isClearedAndShared(kind, actor)}
    and (
      ${columnOf(kind, 'state')} <> ${sql.lit(state)}
      or ${isAdmin(actor)}::boolean
      or (${actor.role === 'groupAdmin'}::boolean
        and ${columnOf(kind, 'audience')} = 'groups'
        and exists (select from ${links} link where ${isOfItem})
        and not exists (
          select from ${links} link
          where ${isOfItem} and link.usergroup_id <> all (${administered}::uuid[])))
    )
  )`;
}
