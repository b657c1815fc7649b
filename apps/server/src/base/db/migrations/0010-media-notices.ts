import { type Kysely, sql } from 'kysely';

/**
 * Requests for bytes are answered from memory, so everything else they depend on sends notices too, besides the rights
 * of migration 0002: the place of a sensor's bytes, the name in the address of a picture, and a mission's end; and
 * memberships that were moved, where they were only ever added and removed so far.
 */
const statements = [
  `create function sensor_media_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('osprey_rights', json_build_object('sensor', coalesce(new.id, old.id))::text);
    return null;
  end $$`,
  `create trigger sensor_media_changed after update on sensors for each row
    when ((new.index_key, new.time_shift, new.mission_id) is distinct from (old.index_key, old.time_shift, old.mission_id))
    execute function sensor_media_changed()`,
  `create trigger sensor_media_gone after delete on sensors for each row execute function sensor_media_changed()`,
  `create function file_media_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('osprey_rights', json_build_object('sensor', coalesce(new.sensor_id, old.sensor_id))::text);
    return null;
  end $$`,
  `create trigger file_media_changed after update on files for each row
    when ((new.storage_key, new.size_bytes, new.kind) is distinct from (old.storage_key, old.size_bytes, old.kind))
    execute function file_media_changed()`,
  `create trigger file_media_moved after insert or delete on files for each row execute function file_media_changed()`,
  `create function mission_notice() returns trigger language plpgsql as $$
  begin
    perform pg_notify('osprey_rights', json_build_object('mission', old.id)::text);
    return null;
  end $$`,
  `create trigger mission_renamed after update on missions for each row when (new.name <> old.name)
    execute function mission_notice()`,
  `create function membership_moved() returns trigger language plpgsql as $$
  begin
    update users set epoch = epoch + 1 where id in (old.user_id, new.user_id);
    return null;
  end $$`,
  `create trigger membership_moved after update on user_usergroups
    for each row execute function membership_moved()`,
  `create trigger membership_moved after update on user_administered
    for each row execute function membership_moved()`,
  `create function mission_audience_moved() returns trigger language plpgsql as $$
  begin
    perform pg_notify('osprey_rights', json_build_object('mission', new.mission_id, 'gained', new.usergroup_id)::text);
    perform pg_notify('osprey_rights', json_build_object('mission', old.mission_id, 'lost', old.usergroup_id)::text);
    update missions set epoch = epoch + 1 where id in (old.mission_id, new.mission_id);
    return null;
  end $$`,
  `create trigger mission_audience_moved after update on mission_usergroups
    for each row execute function mission_audience_moved()`,
  `create trigger mission_gone after delete on missions for each row execute function mission_notice()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
