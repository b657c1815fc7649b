import { type Kysely, sql } from 'kysely';

/**
 * Every change of a right, by any statement, bumps an epoch and sends a notice on the channel osprey_rights in the same
 * transaction. Notices of missions carry the facts before the change, so that listeners can work out who lost the right
 * to read.
 */
const statements = [
  `create function user_rights_changed() returns trigger language plpgsql as $$
  begin
    if (new.role, new.clearance, new.disabled, new.deleted_time, new.password_hash)
      is distinct from (old.role, old.clearance, old.disabled, old.deleted_time, old.password_hash) then
      new.epoch := old.epoch + 1;
    end if;
    if new.epoch <> old.epoch then
      perform pg_notify('osprey_rights', json_build_object('user', new.id, 'epoch', new.epoch)::text);
    end if;
    return new;
  end $$`,
  `create trigger user_rights_changed before update on users for each row execute function user_rights_changed()`,
  `create function membership_changed() returns trigger language plpgsql as $$
  begin
    update users set epoch = epoch + 1 where id = coalesce(new.user_id, old.user_id);
    return null;
  end $$`,
  `create trigger membership_changed after insert or delete on user_usergroups
    for each row execute function membership_changed()`,
  `create trigger membership_changed after insert or delete on user_administered
    for each row execute function membership_changed()`,
  `create function ceiling_changed() returns trigger language plpgsql as $$
  begin
    update users set epoch = epoch + 1 where id in (
      select user_id from user_usergroups where usergroup_id = new.id
      union select user_id from user_administered where usergroup_id = new.id);
    return null;
  end $$`,
  `create trigger ceiling_changed after update on usergroups
    for each row when (new.classification <> old.classification) execute function ceiling_changed()`,
  `create function credential_gone() returns trigger language plpgsql as $$
  begin
    perform pg_notify('osprey_rights', json_build_object('credential', old.id, 'of', old.user_id)::text);
    return null;
  end $$`,
  `create trigger credential_gone after delete on credentials for each row execute function credential_gone()`,
  `create function mission_rights_changed() returns trigger language plpgsql as $$
  begin
    if (new.classification, new.audience, new.deleted_time is null, new.state = 'Created')
      is distinct from (old.classification, old.audience, old.deleted_time is null, old.state = 'Created') then
      new.epoch := old.epoch + 1;
      perform pg_notify('osprey_rights', json_build_object('mission', new.id, 'epoch', new.epoch, 'was', json_build_object(
        'label', old.classification, 'audience', old.audience, 'draft', old.state = 'Created',
        'deleted', old.deleted_time is not null))::text);
    elsif new.epoch <> old.epoch then
      perform pg_notify('osprey_rights', json_build_object('mission', new.id, 'epoch', new.epoch)::text);
    end if;
    return new;
  end $$`,
  `create trigger mission_rights_changed before update on missions
    for each row execute function mission_rights_changed()`,
  `create function mission_audience_changed() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      perform pg_notify('osprey_rights',
        json_build_object('mission', new.mission_id, 'gained', new.usergroup_id)::text);
    else
      perform pg_notify('osprey_rights',
        json_build_object('mission', old.mission_id, 'lost', old.usergroup_id)::text);
      update missions set epoch = epoch + 1 where id = old.mission_id;
    end if;
    return null;
  end $$`,
  `create trigger mission_audience_changed after insert or delete on mission_usergroups
    for each row execute function mission_audience_changed()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
