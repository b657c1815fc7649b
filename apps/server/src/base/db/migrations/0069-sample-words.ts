import { type Kysely, sql } from 'kysely';

/** The note of samples promised every reader a click that only those have who may delete them. */
const words = `update missions set description = 'A sample flight.' where sample and description =
  'A sample made by Osprey''s own flight simulator. It can be removed with one click.'`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(words).execute(db);
}
