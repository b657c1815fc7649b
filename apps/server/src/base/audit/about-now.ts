import { classificationOf } from '@osprey/contract';
import { type RawBuilder, sql } from 'kysely';
import { asSystem, type Db } from '../access/as-system.ts';
import { items } from '../items/product.ts';
import type { AuditAbout } from './about.ts';

/** Label assumed for a deleted item: the highest, since it is no longer known who was allowed to know of the item. */
const DELETED_ITEM_LABEL = classificationOf(5);

/** Tables of things other than items that audit rows refer to; they have no label. */
const unlabelled = ['users', 'usergroups', 'credentials'];

/** Returns the current label and usergroups of an item, for an audit row that has only the item's id. */
export async function aboutNow(db: Db, id: string): Promise<AuditAbout & { usergroups?: readonly string[] }> {
  const facts = (await items.factsById(db, [id])).get(id);
  if (facts) return { itemId: id, itemLabel: facts.securityClassification, usergroups: facts.usergroups };
  const others = unlabelled.map((table) => sql`select from ${sql.table(table)} where id = ${id}`);
  const { rows } = await sql`${sql.join(others, sql` union all `)}`.execute(asSystem(db, 'audit names'));
  return rows.length > 0 ? { subject: id } : { itemId: id, itemLabel: DELETED_ITEM_LABEL };
}

/**
 * Condition under which a row without a label may be read with a clearance below the highest. Rows of earlier versions
 * name items without a label: the item's current label counts for them, and a deleted item has the highest.
 */
export function mayShowUnlabelled(clearance: number): RawBuilder<boolean> {
  const ofItems = items.kinds.map(
    ({ table }) => sql`select from ${sql.table(table)} named
      where named.id = audit.item_id and named.classification <= ${clearance}`,
  );
  const others = unlabelled.map((table) => sql`select from ${sql.table(table)} named where named.id = audit.item_id`);
  const named = sql.join([...others, ...ofItems], sql` union all `);
  return sql<boolean>`(audit.item_label is not null or audit.item_id is null or exists (${named}))`;
}
