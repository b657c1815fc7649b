import { items as contractItems, type ItemTable } from '@osprey/contract';
import { bindItems } from './items.ts';
import { storedItems } from './table.ts';

const isKnown = ([name, { partOf }]: [string, ItemTable[string]]): boolean => (partOf ?? name) in storedItems;

/**
 * Items used by the layers below the features. Code that covers all items, such as events and the names in the audit,
 * uses the items of compose/items.ts instead.
 */
export const items = bindItems(
  Object.fromEntries(Object.entries(contractItems as ItemTable).filter(isKnown)),
  storedItems,
);
