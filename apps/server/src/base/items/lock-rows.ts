import { sql } from 'kysely';
import { asSystem, type Db } from '../access/as-system.ts';
import type { Content } from './content.ts';

/**
 * Locks rows against change and removal until the transaction ends. They are locked in the order of their ids, which
 * avoids deadlocks.
 */
export async function lockRows(
  tx: Db,
  table: Content['table'] | 'missions' | 'sensors',
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const locking = sql`select from ${sql.table(table)} where id = any (${[...new Set(ids)]}::uuid[]) order by id for share`;
  await locking.execute(asSystem(tx, 'case'));
}
