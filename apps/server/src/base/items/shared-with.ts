import { sql } from 'kysely';
import type { Db } from '../access/as-system.ts';
import { type StoredItem, storedItems } from './table.ts';

type Shared = { id: string; usergroups: readonly string[] };

/** An item of the table `storedItems`, or one defined by a feature. */
type Item = keyof typeof storedItems | Pick<StoredItem, 'links'>;

function linksOf(item: Item) {
  const { table, key } = (typeof item === 'string' ? storedItems[item] : item).links;
  return { table: sql.table(table), own: sql.ref(key) };
}

/** Shares an item with further usergroups, given by their ids. It must not be shared with them already. */
export async function shareWith(tx: Db, item: Item, { id, usergroups }: Shared): Promise<void> {
  if (usergroups.length === 0) return;
  const { table, own } = linksOf(item);
  await sql`insert into ${table} (${own}, usergroup_id)
    select ${id}::uuid, one from unnest(${[...usergroups]}::uuid[]) one`.execute(tx);
}

/**
 * Shares an item with exactly these usergroups. Only rows that differ are changed, since each removed row revokes
 * access.
 */
export async function shareOnlyWith(tx: Db, item: Item, row: Shared, usergroups: readonly string[]): Promise<void> {
  const { table, own } = linksOf(item);
  const gone = row.usergroups.filter((id) => !usergroups.includes(id));
  if (gone.length > 0) {
    await sql`delete from ${table} where ${own} = ${row.id}::uuid and usergroup_id = any (${gone}::uuid[])`.execute(tx);
  }
  const added = usergroups.filter((id) => !row.usergroups.includes(id));
  await shareWith(tx, item, { id: row.id, usergroups: added });
}
