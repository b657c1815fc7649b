import { type ItemTable, ownItemsOf } from '@osprey/contract';
import type { StoredItem, StoredItems } from './table.ts';

/** A kind of item with its own rights: its names in the contract, and the location of its rows. */
export type ItemKind = StoredItem & {
  /** Singular name. The names of its actions begin with it, and it is the field of its notices that contains the id. */
  item: string;
  /** Plural name, used for lists, changed events and `revoked`. */
  noun: string;
  /** Name of the changed event for this kind. */
  event: string;
  /** Name of the event with the ids of deleted items, sent in addition to `revoked`. */
  deletedEvent?: string;
};

/**
 * Returns the kinds of item in a contract, in its order.
 *
 * @throws Error if an item has no entry in the server's table, if an entry has no item, or if jobs work on an item that
 * has no rule `update`, which decides who may control them
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
