import { type Actor, classificationRank } from '@osprey/contract';
import { type RawBuilder, sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { items } from '../../base/items/product.ts';

/**
 * Whether the actor may read a row of `case_parts`: the `read` rule of the document, annotation or mission that its
 * rights go by, also of one in the bin. If that is gone for good, its last facts decide. Notes are read with the case.
 */
export function isReadablePart(db: Db, actor: Actor): RawBuilder<boolean> {
  const document = asSystem(db, 'case')
    .selectFrom('documents')
    .where(sql<boolean>`documents.id = case_parts.document_id`)
    .where(items.visibleTo('document', actor))
    .select('documents.id');
  const annotation = asSystem(db, 'case')
    .selectFrom('annotations')
    .where(sql<boolean>`annotations.id = case_parts.annotation_id`)
    .where(items.visibleTo('annotation', actor))
    .select('annotations.id');
  const mission = asSystem(db, 'case')
    .selectFrom('missions')
    .where(sql<boolean>`missions.id = case_parts.mission_id`)
    .where(items.visibleTo('mission', actor))
    .select('missions.id');
  return sql<boolean>`(case
    when case_parts.kind = 'note' then true
    when case_parts.gone_time is not null then ${wasReadable(actor)}
    when case_parts.document_id is not null then exists ${document}
    when case_parts.annotation_id is not null then exists ${annotation}
    else exists ${mission} end)`;
}

/** The rule `read` over the label and audience that a part keeps of what is gone. */
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
