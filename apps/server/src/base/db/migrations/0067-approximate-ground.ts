import { type Kysely, sql } from 'kysely';

/** Cells that were seen by approximate squares around frame centres have rows of their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table coverage_seen
    add column approximate boolean not null default false,
    drop constraint coverage_seen_pkey,
    add primary key (area, sensor_id, hour, approximate)`.execute(db);
}
