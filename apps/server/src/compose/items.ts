import { items as contractItems } from '@osprey/contract';
import { bindItems } from '../base/items/items.ts';
import { type StoredItems, storedItems } from '../base/items/table.ts';
import { features } from './features.ts';

/** Tables of the rows of every item. */
export const allStoredItems: StoredItems = Object.assign({}, storedItems, ...features.map(({ item }) => item ?? {}));

/** Items of the product: here rules of the contract and tables of the server come together. */
export const items = bindItems(contractItems, allStoredItems);
