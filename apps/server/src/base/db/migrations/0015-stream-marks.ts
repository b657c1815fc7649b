import { type Kysely, sql } from 'kysely';

/** Labels of platforms rise with the marks in their streams; and the mission of a recording says when it is there. */
const statements = [
  `alter table platforms add column stream_mark smallint check (stream_mark between 1 and 5)`,
  `create function mission_made() returns trigger language plpgsql as $$
  begin
    perform pg_notify('osprey_rights', json_build_object('mission', new.id)::text);
    return null;
  end $$`,
  `create trigger mission_made after insert on missions for each row when (new.platform_id is not null)
    execute function mission_made()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
