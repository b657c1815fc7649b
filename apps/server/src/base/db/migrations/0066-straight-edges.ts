import { type Kysely, sql } from 'kysely';

/** The edges of saved searches were great circles: the cells of those that have some are to be found again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update saved_searches set probes = null where probes is not null`.execute(db);
}
