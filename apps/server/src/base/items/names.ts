import type { Actor } from '@osprey/contract';
import { sql } from 'kysely';
import type { Db } from '../access/as-system.ts';
import type { ItemKind } from './kinds.ts';
import { columnOf, visibleRows } from './visible.ts';

/** Condition that an id is in the list. It uses a single array parameter for any number of ids. */
export const isAmong = (column: ReturnType<typeof sql.ref>, ids: readonly string[]) =>
  sql<boolean>`${column} = any (${ids}::uuid[])`;

/**
 * Returns a query of `id` and `name` for each kind. Each selects those of the items that the actor may see and that are
 * not in the bin.
 */
export const namesOf = (kinds: readonly ItemKind[], db: Db, actor: Actor, ids: readonly string[]) =>
  kinds.map((kind) =>
    visibleRows(kind, db, actor)
      .select([sql<string>`${columnOf(kind, 'id')}`.as('id'), sql<string>`${columnOf(kind, kind.name)}`.as('name')])
      .where(isAmong(columnOf(kind, 'id'), ids)),
  );

/** Returns the ids of items that the actor may see, that are not in the bin, and whose name is exactly this one. */
export async function idsNamed(kinds: readonly ItemKind[], db: Db, actor: Actor, name: string): Promise<string[]> {
  const found = await Promise.all(
    kinds.map((kind) =>
      visibleRows(kind, db, actor)
        .select('id')
        .where(sql<boolean>`${columnOf(kind, kind.name)} = ${name}`)
        .execute(),
    ),
  );
  return found.flat().map(({ id }) => id);
}
