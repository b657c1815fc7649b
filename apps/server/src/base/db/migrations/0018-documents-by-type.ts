import { type Kysely, sql } from 'kysely';

/** Index for documents of a rare type among many. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index documents_by_type on documents (document_type, creation_time desc, id)
    where deleted_time is null`.execute(db);
}
