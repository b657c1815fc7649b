import { type ItemTable, ownItemsOf } from '@osprey/contract';
import type { StoredItem, StoredItems } from './table.ts';

/** One kind of item with rights of its own: how the contract names it, and where its rows are. */
export type ItemKind = StoredItem & {
  /** Singular: begins the names of its actions, and is the field of its notices that holds the id. */
  item: string;
  /** Plural: of lists, changed events and `revoked`. */
  noun: string;
  /** Name of its changed event. */
  event: string;
  /** Name of the event with the ids of deleted items, sent in addition to `revoked`. */
  deletedEvent?: string;
};

/**
 * The kinds of item of a contract, in its order.
 *
 * @throws Error where an item has no entry in the table of the server, an entry no item, or where jobs work on an item
 * that has no rule `update`, which says who may steer them
 */
export function kindsOf(contract: ItemTable, stored: StoredItems): ItemKind[] {
  const names = ownItemsOf(contract);
  const foreign = Object.keys(stored).filter((item) => !names.includes(item));
  if (foreign.length > 0) throw new Error(`Not in the item table of the contract: ${foreign.join(', ')}`);
  return names.map((item) => {
    const { plural, event, deletedEvent, rules } = contract[item]!;
    const entry = stored[item];
    if (entry === undefined || event === undefined) throw new Error(`Not in the item table of the server: ${item}`);
    if (entry.job !== undefined && !('update' in rules))
      throw new Error(`Jobs over items without a rule update: ${item}`);
    return { ...entry, item, noun: plural, event, ...(deletedEvent !== undefined && { deletedEvent }) };
  });
}
