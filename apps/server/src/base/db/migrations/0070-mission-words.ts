import { type Kysely, sql } from 'kysely';

/**
 * The words by which a mission is found, in one text in lower case. A line break parts the fields, so that no word is
 * found across two of them.
 */
const statements = [
  `alter table missions add column head_text text not null default ''`,
  `create function mission_head() returns trigger language plpgsql as $$
  begin
    new.head_text := lower(concat_ws(E'\\n', new.name, new.description, new.platform_name,
      array_to_string(new.tags, E'\\n')));
    return new;
  end $$`,
  // Triggers run in the order of their names: this one runs after all others, one of which might change a field.
  `create trigger words_of_mission before insert or update of name, description, platform_name, tags, head_text
    on missions for each row execute function mission_head()`,
  `update missions set head_text = ''`,
  `create index missions_by_head on missions using gin (head_text gin_trgm_ops) with (fastupdate = off)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
