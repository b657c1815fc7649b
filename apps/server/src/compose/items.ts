import { items as contractItems } from '@osprey/contract';
import { bindItems } from '../base/items/items.ts';
import { type StoredItems, storedItems } from '../base/items/table.ts';
import { features } from './features.ts';

/** Where the rows of every item are. */
export const allStoredItems: StoredItems = Object.assign({}, storedItems, ...features.map(({ item }) => item ?? {}));

/** The items of the product: the one place where code meets the table. */
export const items = bindItems(contractItems, allStoredItems);
