import { type Kysely, sql } from 'kysely';

const searched = ['missions_by_tags', 'users_by_words', 'documents_by_tags', 'documents_by_head', 'documents_by_body'];

/**
 * New rows go straight into these indexes. PostgreSQL would gather them in a list of up to 4 MB first, which every
 * search reads from end to end, until it calls the index dearer than reading all rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const index of searched) {
    await sql`alter index ${sql.table(index)} set (fastupdate = off)`.execute(db);
    await sql`select gin_clean_pending_list(${index}::regclass)`.execute(db);
  }
}
