import { type Actor, classificationRank } from '@osprey/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Content } from '../../base/items/content.ts';
import { items } from '../../base/items/product.ts';

/**
 * Condition that the actor may read a row of `case_parts`: the `read` rule of the item that decides its rights,
 * including items in the bin. If that item was permanently deleted, its last facts decide. Notes can be read by all
 * readers of the case.
 */
export function isReadablePart(contents: readonly Pick<Content, 'kind' | 'item'>[], actor: Actor): RawBuilder<boolean> {
  const own = [...Map.groupBy(contents, ({ item }) => item)].flatMap(([item, all]) => {
    const kinds = all.map(({ kind }) => kind);
    if (item === 'mission') return [];
    return sql`when case_parts.kind = any (${kinds}::text[]) then ${isVisible(item, 'subject_id', actor)}`;
  });
  return sql<boolean>`(case
    when case_parts.kind = 'note' then true
    when case_parts.gone_time is not null then ${wasReadable(actor)}
    ${sql.join(own, sql` `)}
    else ${isVisible('mission', 'mission_id', actor)} end)`;
}

function isVisible(item: Content['item'], column: 'subject_id' | 'mission_id', actor: Actor): RawBuilder<boolean> {
  const { table } = items.kindOf(item);
  return sql<boolean>`exists (select from ${sql.table(table)}
    where ${sql.ref(`${table}.id`)} = ${sql.ref(`case_parts.${column}`)} and ${items.visibleTo(item, actor)})`;
}

/**
 * Condition for parts whose source was deleted: the rule `read` applied to the label and audience that the part keeps
 * of it.
 */
function wasReadable(actor: Actor): RawBuilder<boolean> {
  const groups = actor.groups.map(({ _id }) => _id);
  const ceilings = actor.groups.map(({ ceiling }) => classificationRank(ceiling));
  return sql<boolean>`(
    case_parts.classification <= ${classificationRank(actor.clearance)}
    and (
      ${actor.role === 'superAdmin'}::boolean
      or (case_parts.gone_audience = 'everyone' and ${actor.role !== 'guest'}::boolean)
      or (case_parts.gone_audience = 'groups' and exists (
        select from unnest(${groups}::uuid[], ${ceilings}::int[]) as held (id, ceiling)
        where held.id = any (case_parts.gone_groups) and held.ceiling >= case_parts.classification))
    )
  )`;
}
