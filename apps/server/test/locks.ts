import { type Kysely, sql } from 'kysely';
import type { Database } from '../src/base/db/schema.ts';

/** Number of connections to this database that wait for a lock of the table. */
export async function waitingFor(table: keyof Database, db: Kysely<Database>): Promise<number> {
  const { rows } = await sql`select from pg_locks where not granted and relation = ${table}::regclass
    and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.length;
}
