import { type Kysely, sql } from 'kysely';

/**
 * The ceiling of a session is the highest label that it sees, whatever its account may see. Work that goes on after the
 * request, and rules that act for their maker, keep the ceiling of the session that they were made in. Older rows have
 * none.
 */
const statements = ['credentials', 'tasks', 'case_exports', 'retention_rules'].map(
  (table) => `alter table ${table} add column ceiling smallint not null default 5 check (ceiling between 1 and 5)`,
);

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
