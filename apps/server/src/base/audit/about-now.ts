import { classificationOf } from '@osprey/contract';
import { type RawBuilder, sql } from 'kysely';
import { asSystem, type Db } from '../access/as-system.ts';
import { items } from '../items/product.ts';
import type { AuditAbout } from './about.ts';

/** Label of an item that is gone, so that nobody can tell any more who might have known of it. */
const GONE = classificationOf(5);

/** Tables of what rows name beside items. */
const unlabelled = ['users', 'usergroups', 'credentials'];

/** Label and usergroups that an item has now, for a row that has its id alone. */
export async function aboutNow(db: Db, id: string): Promise<AuditAbout & { usergroups?: readonly string[] }> {
  const facts = (await items.factsById(db, [id])).get(id);
  if (facts) return { itemId: id, itemLabel: facts.securityClassification, usergroups: facts.usergroups };
  const others = unlabelled.map((table) => sql`select from ${sql.table(table)} where id = ${id}`);
  const { rows } = await sql`${sql.join(others, sql` union all `)}`.execute(asSystem(db, 'audit names'));
  return rows.length > 0 ? { subject: id } : { itemId: id, itemLabel: GONE };
}

/**
 * Whether a row may be read with a clearance below the highest, as far as it lacks a label: rows of earlier versions name
 * items without one. Then the label of the item now counts, and one that is gone has the highest.
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
