import { type Kysely, sql } from 'kysely';

/** The KLV stream that a user chose for a live sensor. Null: by the rules. */
const statement = 'alter table platform_sensors add column klv_pid integer';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statement).execute(db);
}
