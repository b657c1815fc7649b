import { type Kysely, sql } from 'kysely';

/**
 * Notices of items name their transaction, so that the rights before it can be told from rows read in the middle of its
 * notices (`base/ws/lost-rights.ts`). The function is that of 0022 with `tx` added.
 */
const itemRightsChanged = `create or replace function item_rights_changed() returns trigger language plpgsql as $$
  declare
    is_draft boolean;
    was_draft boolean;
    gaining text;
    losing text;
    less_shared uuid[];
    tx text := pg_current_xact_id()::text;
  begin
    if tg_when = 'BEFORE' then
      if tg_op = 'DELETE' then
        perform pg_notify('osprey_rights', json_build_object('tx', tx, tg_argv[0], old.id)::text);
        return old;
      end if;
      if tg_nargs > 1 then
        is_draft := new.state = tg_argv[1];
        was_draft := old.state = tg_argv[1];
      end if;
      if (new.classification, new.audience, new.deleted_time is null, is_draft)
        is distinct from (old.classification, old.audience, old.deleted_time is null, was_draft) then
        new.epoch := old.epoch + 1;
        perform pg_notify('osprey_rights', json_build_object('tx', tx, tg_argv[0], new.id, 'epoch', new.epoch,
          'was', json_build_object('label', old.classification, 'audience', old.audience, 'draft', coalesce(was_draft, false),
            'deleted', old.deleted_time is not null))::text);
      elsif new.epoch <> old.epoch then
        perform pg_notify('osprey_rights', json_build_object('tx', tx, tg_argv[0], new.id, 'epoch', new.epoch)::text);
      end if;
      return new;
    end if;

    if tg_op <> 'DELETE' then
      gaining := coalesce(to_jsonb(new) ->> (tg_argv[0] || '_id'), to_jsonb(new) ->> 'id');
    end if;
    if tg_op <> 'INSERT' then
      losing := coalesce(to_jsonb(old) ->> (tg_argv[0] || '_id'), to_jsonb(old) ->> 'id');
    end if;
    if tg_nargs = 1 then
      perform pg_notify('osprey_rights', json_build_object('tx', tx, tg_argv[0], coalesce(gaining, losing))::text);
      return null;
    end if;
    if gaining is not null then
      perform pg_notify('osprey_rights', json_build_object('tx', tx, tg_argv[0], gaining, 'gained', new.usergroup_id)::text);
    end if;
    if losing is not null then
      perform pg_notify('osprey_rights', json_build_object('tx', tx, tg_argv[0], losing, 'lost', old.usergroup_id)::text);
      less_shared := array[losing, gaining];
    end if;
    if tg_level = 'STATEMENT' then
      perform pg_notify('osprey_rights',
        json_build_object('tx', tx, tg_argv[0], to_jsonb(link) ->> (tg_argv[0] || '_id'),
          'lost', link.usergroup_id)::text)
        from lost_links link;
      less_shared := array(select to_jsonb(link) ->> (tg_argv[0] || '_id') from lost_links link);
    end if;
    if cardinality(less_shared) > 0 then
      execute format('update %I set epoch = epoch + 1 where id = any ($1)', tg_argv[1]) using less_shared;
    end if;
    return null;
  end $$`;

const onPlatforms = (name: string, when: string, call: string) =>
  `create trigger ${name} ${when} execute function item_rights_changed(${call})`;

/** Platforms get epoch and notices that say what their rights were, as every other item has. */
const statements = [
  itemRightsChanged,
  'alter table platforms add column epoch int not null default 0',
  'drop trigger item_rights_changed on platforms',
  'drop trigger item_rights_changed on platform_usergroups',
  onPlatforms('item_rights_changed', 'before update or delete on platforms for each row', "'platform'"),
  // Any other change concerns the recorder and live views.
  onPlatforms('item_changed', 'after insert or update on platforms for each row', "'platform'"),
  onPlatforms(
    'item_rights_changed',
    'after insert or update on platform_usergroups for each row',
    "'platform', 'platforms'",
  ),
  onPlatforms(
    'item_rights_lost',
    'after delete on platform_usergroups referencing old table as lost_links for each statement',
    "'platform', 'platforms'",
  ),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
