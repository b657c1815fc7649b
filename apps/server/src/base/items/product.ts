import { items as contractItems } from '@osprey/contract';
import { bindItems } from './items.ts';
import { storedItems } from './table.ts';

/** The items of the product: the one place where code meets the table. */
export const items = bindItems(contractItems, storedItems);
