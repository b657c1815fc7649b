import { type Kysely, sql } from 'kysely';

/** Users' decisions about a telemetry file of a video outlive every reading of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table files
    add column time_offset bigint not null default 0,
    add column coordinates_exchanged boolean not null default false`.execute(db);
}
