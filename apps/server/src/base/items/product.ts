import { items as contractItems, type ItemTable } from '@osprey/contract';
import { bindItems } from './items.ts';
import { storedItems } from './table.ts';

const isKnown = ([name, { partOf }]: [string, ItemTable[string]]): boolean => (partOf ?? name) in storedItems;

/**
 * Items that layers below the features work with. Code that goes over all items, such as events and names in the audit,
 * gets those of compose/items.ts.
 */
export const items = bindItems(
  Object.fromEntries(Object.entries(contractItems as ItemTable).filter(isKnown)),
  storedItems,
);
