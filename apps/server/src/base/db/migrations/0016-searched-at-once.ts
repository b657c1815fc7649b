import { type Kysely, sql } from 'kysely';

const searched = ['missions_by_tags', 'users_by_words', 'documents_by_tags', 'documents_by_head', 'documents_by_body'];

/**
 * Makes PostgreSQL add new rows to these indexes directly. By default it collects them in a pending list of up to 4 MB,
 * which every search reads completely; the planner then prefers reading all rows to using the index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const index of searched) {
    await sql`alter index ${sql.table(index)} set (fastupdate = off)`.execute(db);
    await sql`select gin_clean_pending_list(${index}::regclass)`.execute(db);
  }
}
