import { type Kysely, sql } from 'kysely';

/** How many positions a form of an annotation has, so that a form can be chosen before any is read. */
const statements = [
  'alter table annotation_levels add column vertices integer',
  `update annotation_levels set vertices = (
    select count(*) from jsonb_path_query(features, 'strict $[*].geometry.coordinates.**') part
      where jsonb_typeof(part) = 'array' and jsonb_typeof(part -> 0) = 'number')`,
  'alter table annotation_levels alter column vertices set not null',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
