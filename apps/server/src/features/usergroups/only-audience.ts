import { type Actor, classificationOf, type ItemNoun, type OnlyAudienceItem } from '@osprey/contract';
import { sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { Items } from '../../base/items/items.ts';
import type { ItemKind } from '../../base/items/kinds.ts';
import { columnOf, visibleRows } from '../../base/items/visible.ts';

/** Number of items listed by name; further ones are reported as "and others". */
const ITEMS_SHOWN = 20;

type Kinds = Pick<Items, 'kinds'>;

/**
 * Kinds of items that no user could read without a group. Items of the other kinds can still be read by their authors.
 */
const leftToNobody = ({ kinds }: Kinds) => kinds.filter(({ authorReads }) => !authorReads);

/** SQL condition that an item is shared with at least one group, and only with these groups. */
function isOnlyIn(kind: ItemKind, groupIds: readonly string[]) {
  const link = sql.table(kind.links.table);
  const isOfItem = sql`${sql.ref(`${kind.links.table}.${kind.links.key}`)} = ${columnOf(kind, 'id')}`;
  const group = sql.ref(`${kind.links.table}.usergroup_id`);
  return sql<boolean>`(
    ${columnOf(kind, 'audience')} = 'groups'
    and exists (select from ${link} where ${isOfItem})
    and not exists (select from ${link} where ${isOfItem} and ${group} <> all (${[...groupIds]}::uuid[])))`;
}

/** Counts the items, not in the bin, that only the superAdmin could see without these groups. */
export async function countOnlyIn(items: Kinds, db: Db, groupIds: readonly string[]): Promise<number> {
  let total = 0;
  for (const kind of leftToNobody(items)) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(kind.table)}
      where ${columnOf(kind, 'deleted_time')} is null and ${isOnlyIn(kind, groupIds)}`.execute(asSystem(db, 'label'));
    total += rows[0]!.count;
  }
  return total;
}

/**
 * Lists the items that only these usergroups can see: those visible to the actor, by name, and whether there are
 * others.
 */
export async function onlyIn(
  items: Kinds,
  db: Db,
  actor: Actor,
  groupIds: readonly string[],
): Promise<{ items: OnlyAudienceItem[]; hidden: boolean }> {
  const shown: OnlyAudienceItem[] = [];
  for (const kind of leftToNobody(items)) {
    const name = sql<string>`${columnOf(kind, kind.name)}`;
    const rows = await visibleRows(kind, db, actor)
      .where(isOnlyIn(kind, groupIds))
      .select(['id', name.as('name'), 'classification'])
      .orderBy(name)
      .limit(ITEMS_SHOWN - shown.length)
      .execute();
    const noun = kind.noun as ItemNoun;
    shown.push(
      ...rows.map(({ id, name, classification }) => ({ _id: id, noun, name, label: classificationOf(classification) })),
    );
  }
  return { items: shown, hidden: (await countOnlyIn(items, db, groupIds)) > shown.length };
}
