import { type Kysely, sql } from 'kysely';

/** For which index the pictures of a sensor were joined into sheets: those made before are joined in the background. */
const statements = [
  'alter table sensors add column sheets_of text',
  `create index sensors_without_sheets on sensors (mission_id)
    where index_key is not null and sheets_of is distinct from index_key`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
