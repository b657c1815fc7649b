import { type ItemName, itemNames, items } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../src/base/db/schema.ts';
import { storedItems } from '../src/base/items/table.ts';
import { addRow } from './row-in-each-table.ts';

type Fields = { classification?: number; audience?: 'everyone' | 'groups' };

/** The item whose calls begin with this path (`/rooms/...`), by its plural. */
export const itemOfPath = (path: string): ItemName | undefined =>
  itemNames.find((name) => items[name].plural === path.split('/')[1]);

/**
 * Adds an item of any kind, shared with usergroups by their ids: what the tables of items say of it is enough. Returns
 * its id.
 */
export async function addAnyItem(
  db: Kysely<Database>,
  item: ItemName,
  { classification = 1, audience = 'everyone' }: Fields = {},
  groups: readonly string[] = [],
): Promise<string> {
  const { table, links } = storedItems[item];
  const id = await addRow(db, table, { classification, audience });
  for (const group of groups) {
    await sql`insert into ${sql.id(links.table)} (${sql.id(links.key)}, usergroup_id)
      values (${id}::uuid, ${group}::uuid)`.execute(db);
  }
  return id;
}
