import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ItemName, Role } from '@osprey/contract';
import type { Rules } from './matrix-calls.ts';
import type { AnyItem } from './matrix-items.ts';

/**
 * The decisions over one kind of item, written down a second time by hand: a file each in `own-calls`, which exports
 * them as `calls`. `rights.test.ts` and `matrix.test.ts` read all of them, and fail for a call that none states.
 */
export type OwnCalls = {
  item: ItemName;
  /** Roles of each call, by its name in the contract. */
  roles: Readonly<Record<string, readonly Role[]>>;
  /** Bodies that the schemas take, by method and path. `id` is the item, `usergroup` one of the caller. */
  bodies?: (given: { id: string; usergroup: string }) => Record<string, object>;
  /** Calls over one item that has nothing but its row. */
  rules: Rules<AnyItem>;
  /** Lists, and calls that make an item: the test that has their cases. */
  elsewhere: Readonly<Record<string, string>>;
};

const folder = join(import.meta.dirname, 'own-calls');

export const callsByItem: readonly OwnCalls[] = await Promise.all(
  readdirSync(folder).map(async (file) => ((await import(join(folder, file))) as { calls: OwnCalls }).calls),
);
