import { type Kysely, sql } from 'kysely';

/** Outlines and lines for the geo filter are kept while a mission records too, in pieces that join where one ends. */
const statements = [
  'alter table mission_shapes add column piece int',
  'alter table coverage_sensors add column live_last jsonb',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
