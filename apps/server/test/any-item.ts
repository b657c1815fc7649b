import { type ItemName, itemNames, items } from '@osprey/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../src/base/db/schema.ts';
import { shareWith } from '../src/base/items/shared-with.ts';
import { allStoredItems } from '../src/compose/items.ts';
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
  const id = await addRow(db, allStoredItems[item]!.table, { classification, audience });
  await shareWith(db, allStoredItems[item]!, { id, usergroups: groups });
  return id;
}
