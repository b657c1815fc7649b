import { type Kysely, sql } from 'kysely';

/**
 * Live views are decided from memory, and the recorder works by orders: every change of a platform sends a notice on
 * the channel osprey_rights in the same transaction.
 */
const statements = [
  `create function platform_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('osprey_rights', json_build_object('platform', coalesce(new.id, old.id))::text);
    return null;
  end $$`,
  `create trigger platform_changed after insert or update or delete on platforms
    for each row execute function platform_changed()`,
  `create function platform_part_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('osprey_rights',
      json_build_object('platform', coalesce(new.platform_id, old.platform_id))::text);
    return null;
  end $$`,
  `create trigger platform_audience_changed after insert or update or delete on platform_usergroups
    for each row execute function platform_part_changed()`,
  `create trigger platform_source_changed after insert or update or delete on platform_sensors
    for each row execute function platform_part_changed()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
