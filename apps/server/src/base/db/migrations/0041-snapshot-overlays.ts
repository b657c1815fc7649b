import { type Kysely, sql } from 'kysely';

/** A second picture of a snapshot, with the overlays that the browser drew; its file is next to that of the document. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table snapshots add column overlays_sha256 text, add column overlays_bytes bigint`.execute(db);
}
