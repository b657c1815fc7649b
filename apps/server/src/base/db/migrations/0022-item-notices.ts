import { type Kysely, sql } from 'kysely';

/**
 * One trigger function notifies the channel osprey_rights of every item with rights, in the transaction of the change.
 * An item attaches it with two triggers:
 *
 *     create trigger item_rights_changed before update or delete on things
 *       for each row execute function item_rights_changed('thing');
 *     create trigger item_rights_changed after insert or update or delete on thing_usergroups
 *       for each row execute function item_rights_changed('thing', 'things');
 *
 * The first argument is the singular name of the item: the field of the notice that holds its id. The second depends on
 * the table.
 *
 * - On the item's own table, before update or delete: the value of column `state` in which the item is a draft; left out
 *   for items without drafts. Columns id, classification, audience, deleted_time and epoch are required. A change of
 *   rights raises `epoch` and sends `{ thing, epoch, was: { label, audience, draft, deleted } }` with the values before
 *   the change; any other change of `epoch` sends `{ thing, epoch }`, a deletion `{ thing }`.
 * - On its link table with columns thing_id and usergroup_id, after the change: the item's own table. A link sends
 *   `{ thing, gained }` or `{ thing, lost }` with the id of the usergroup, and a lost one raises `epoch` of the item.
 *   Where thousands of items share a usergroup, which may be deleted, deletions have a trigger for each statement with
 *   `referencing old table as lost_links`: for each row, the update of `epoch` is planned again.
 * - After any change of any table, without a second argument: `{ thing }` alone. The id is read from column thing_id, or
 *   from id where the table has no such column.
 */
const itemRightsChanged = `create function item_rights_changed() returns trigger language plpgsql as $$
  declare
    is_draft boolean;
    was_draft boolean;
    gaining text;
    losing text;
    less_shared uuid[];
  begin
    if tg_when = 'BEFORE' then
      if tg_op = 'DELETE' then
        perform pg_notify('osprey_rights', json_build_object(tg_argv[0], old.id)::text);
        return old;
      end if;
      if tg_nargs > 1 then
        is_draft := new.state = tg_argv[1];
        was_draft := old.state = tg_argv[1];
      end if;
      if (new.classification, new.audience, new.deleted_time is null, is_draft)
        is distinct from (old.classification, old.audience, old.deleted_time is null, was_draft) then
        new.epoch := old.epoch + 1;
        perform pg_notify('osprey_rights', json_build_object(tg_argv[0], new.id, 'epoch', new.epoch, 'was',
          json_build_object('label', old.classification, 'audience', old.audience, 'draft', coalesce(was_draft, false),
            'deleted', old.deleted_time is not null))::text);
      elsif new.epoch <> old.epoch then
        perform pg_notify('osprey_rights', json_build_object(tg_argv[0], new.id, 'epoch', new.epoch)::text);
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
      perform pg_notify('osprey_rights', json_build_object(tg_argv[0], coalesce(gaining, losing))::text);
      return null;
    end if;
    if gaining is not null then
      perform pg_notify('osprey_rights', json_build_object(tg_argv[0], gaining, 'gained', new.usergroup_id)::text);
    end if;
    if losing is not null then
      perform pg_notify('osprey_rights', json_build_object(tg_argv[0], losing, 'lost', old.usergroup_id)::text);
      less_shared := array[losing, gaining];
    end if;
    if tg_level = 'STATEMENT' then
      perform pg_notify('osprey_rights',
        json_build_object(tg_argv[0], to_jsonb(link) ->> (tg_argv[0] || '_id'), 'lost', link.usergroup_id)::text)
        from lost_links link;
      less_shared := array(select to_jsonb(link) ->> (tg_argv[0] || '_id') from lost_links link);
    end if;
    if cardinality(less_shared) > 0 then
      execute format('update %I set epoch = epoch + 1 where id = any ($1)', tg_argv[1]) using less_shared;
    end if;
    return null;
  end $$`;

/** Dropped with their triggers. */
const functionsOfOneItem = [
  ...['mission_rights_changed', 'mission_audience_changed', 'mission_audience_moved', 'mission_notice', 'mission_made'],
  ...['document_rights_changed', 'document_audience_changed', 'document_gone'],
  ...['platform_changed', 'platform_part_changed'],
];

const onTable = (when: string, table: string, ...values: string[]) =>
  `create trigger item_rights_changed ${when} on ${table} for each row
    execute function item_rights_changed(${values.map((value) => `'${value}'`).join(', ')})`;

const onLinks = (item: string, table: string) => [
  onTable('after insert or update', `${item}_usergroups`, item, table),
  `create trigger item_rights_lost after delete on ${item}_usergroups referencing old table as lost_links
    for each statement execute function item_rights_changed('${item}', '${table}')`,
];

const EACH = 'after insert or update or delete';

const statements = [
  `drop function ${functionsOfOneItem.join(', ')} cascade`,
  itemRightsChanged,
  onTable('before update or delete', 'missions', 'mission', 'Created'),
  ...onLinks('mission', 'missions'),
  // The name is part of addresses that are answered from memory.
  `create trigger item_renamed after update on missions for each row when (new.name <> old.name)
    execute function item_rights_changed('mission')`,
  `create trigger item_recorded after insert on missions for each row when (new.platform_id is not null)
    execute function item_rights_changed('mission')`,
  onTable('before update or delete', 'documents', 'document'),
  ...onLinks('document', 'documents'),
  // Platforms have no epoch: each change of one, of its audience or of its sources sends its id.
  onTable(EACH, 'platforms', 'platform'),
  onTable(EACH, 'platform_usergroups', 'platform'),
  onTable(EACH, 'platform_sensors', 'platform'),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
