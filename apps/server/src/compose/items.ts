import { items as contractItems } from '@osprey/contract';
import { bindItems } from '../base/items/items.ts';
import { type StoredItems, storedItems } from '../base/items/table.ts';
import { features } from './features.ts';

/** Where the rows of every item are stored. */
export const allStoredItems: StoredItems = Object.assign({}, storedItems, ...features.map(({ item }) => item ?? {}));

/** All items of the product: combines the contract's rules with the server's tables. */
export const items = bindItems(contractItems, allStoredItems);
