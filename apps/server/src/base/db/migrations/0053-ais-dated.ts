import { type Kysely, sql } from 'kysely';

/** Files of AIS: how many of their positions and static data each rule dated, as `aisDated` of the contract. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table files add column ais_dated jsonb`.execute(db);
}
