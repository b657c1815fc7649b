import type { Actor } from '@osprey/contract';
import { sql } from 'kysely';
import type { Db } from '../access/as-system.ts';
import type { ItemKind } from './kinds.ts';
import { columnOf, visibleRows } from './visible.ts';

/** Condition that an id is one of these; it has one value for any number of ids. */
export const isAmong = (column: ReturnType<typeof sql.ref>, ids: readonly string[]) =>
  sql<boolean>`${column} = any (${ids}::uuid[])`;

/** A query of `id` and `name` for each kind: of these items, those outside the bin that the actor sees. */
export const namesOf = (kinds: readonly ItemKind[], db: Db, actor: Actor, ids: readonly string[]) =>
  kinds.map((kind) =>
    visibleRows(kind, db, actor)
      .select([sql<string>`${columnOf(kind, 'id')}`.as('id'), sql<string>`${columnOf(kind, kind.name)}`.as('name')])
      .where(isAmong(columnOf(kind, 'id'), ids)),
  );

/** Ids of items outside the bin that the actor sees and that have exactly this name. */
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
