import { type Kysely, sql } from 'kysely';

/**
 * Places of annotations are looked up by their boxes. The index of polygons had each one compared with the box of the map,
 * edge by edge, although most lie wholly in it. Sizes of kept forms are read from the index alone, and the forms are
 * kept as the text that is sent.
 */
const statements = [
  'create index annotation_shapes_by_box on annotation_shapes using gist (box(shape))',
  'drop index annotation_shapes_by_place',
  'alter table annotation_levels drop constraint annotation_levels_pkey',
  'alter table annotation_levels add primary key (annotation_id, zoom) include (vertices)',
  'alter table annotation_levels alter column features type json using features::json',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
