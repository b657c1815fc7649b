import { type Kysely, sql } from 'kysely';

/**
 * Parts of cases name what they show by `kind` and `subject_id`, in place of a column for each kind: the id of the row of
 * that kind, of a track that of its sensor; null for notes and for what is gone. `mission_id` stays: rights of contents
 * of a mission go by it, also when the content itself is gone.
 *
 * One trigger function keeps parts true to the rows that they show, and notes what stays when these are removed:
 *
 *     create trigger case_follows after update of classification, audience, deleted_time on things
 *       for each row when ((new.classification, new.audience, new.deleted_time)
 *         is distinct from (old.classification, old.audience, old.deleted_time))
 *       execute function case_source_changed('thing', 'thing');
 *     create trigger case_gone before delete on things
 *       for each row execute function case_source_changed('thing', 'thing', '');
 *
 * The arguments are:
 *
 * - the kinds of the parts whose rows these are, or whose rights go by these, with commas between them;
 * - the item that these are, whose usergroups are in thing_usergroups, where rights of the parts go by it. Empty for
 *   contents of a mission, which have the second trigger alone;
 * - before a deletion, what stays of the times: SQL that gives the first and the last, of which $1 is the id. Empty where
 *   a part has its times already. The title stays too, where the table has such a column.
 *
 * Items whose own rights parts go by are also asked for their label by `case_part_source`.
 */
const sourceChanged = `create function case_source_changed() returns trigger language plpgsql as $$
  declare
    kinds constant text[] := string_to_array(tg_argv[0], ',');
    item constant text := tg_argv[1];
    touched uuid[];
    was jsonb;
    was_draft boolean;
    shared_with uuid[] := '{}';
    first_time bigint;
    last_time bigint;
  begin
    if tg_op = 'UPDATE' then
      if item = 'mission' then
        touched := array(select distinct case_id from case_parts where mission_id = new.id);
      else
        touched := array(select distinct case_id from case_parts where subject_id = new.id);
      end if;
      if cardinality(touched) = 0 then return null; end if;
      perform from cases where id = any (touched) order by id for update;
      if new.classification <> old.classification then
        update case_parts part set classification = new.classification
          where part.case_id = any (touched) and part.kind = any (kinds) and part.gone_time is null
            and case item when 'mission' then part.mission_id else part.subject_id end = new.id
            and part.classification <> new.classification;
      end if;
      perform pg_notify('osprey_events', json_build_object('kind', 'changed', 'noun', 'cases', 'ids', array[one])::text)
        from unnest(touched) one;
      return null;
    end if;

    if item = 'mission' then
      touched := array(select id from case_parts where mission_id = old.id);
    else
      touched := array(select id from case_parts where subject_id = old.id);
    end if;
    if cardinality(touched) = 0 then return old; end if;
    was := to_jsonb(old);
    if item <> '' then
      was_draft := coalesce(was ->> 'state' = 'Created', false);
      if not was_draft then
        execute format('select array(select usergroup_id from %I where %I = $1)', item || '_usergroups', item || '_id')
          into shared_with using old.id;
      end if;
      update case_parts part set gone_time = (extract(epoch from clock_timestamp()) * 1000000)::bigint,
          classification = (was ->> 'classification')::smallint,
          gone_audience = case when was_draft then 'groups' else was ->> 'audience' end, gone_groups = shared_with
        where part.id = any (touched) and part.kind = any (kinds) and part.gone_time is null;
    end if;
    if tg_argv[2] <> '' then
      execute tg_argv[2] into first_time, last_time using old.id;
    end if;
    -- Before the row goes: what cascades from it changes the part again, and may not find an id of it.
    if item = 'mission' then
      update case_parts set mission_id = null where id = any (touched);
    else
      update case_parts part set subject_id = null, title = coalesce(was ->> 'title', part.title),
          start_time = coalesce(first_time, part.start_time), end_time = coalesce(last_time, part.end_time)
        where part.id = any (touched);
    end if;
    return old;
  end $$`;

/** Contents of a mission, their tables, and what stays of their times. */
const contents = [
  ['bookmark', 'bookmarks', 'select last_time, null::bigint from bookmarks where id = $1'],
  ['clip', 'clips', 'select min(in_time), max(out_time) from clip_cuts where clip_id = $1'],
  ['track', 'sensors', ''],
] as const;

/** Items whose rights parts go by. */
const items = [
  ['mission', 'missions', 'bookmark,clip,track'],
  ['document', 'documents', 'snapshot,document'],
  ['annotation', 'annotations', 'annotation'],
] as const;

const statements = [
  `drop view case_holds`,
  ...['mission', 'document', 'annotation'].map(
    (item) => `drop function case_${item}_follows, case_${item}_gone cascade`,
  ),
  `drop function case_bookmark_kept, case_clip_kept cascade`,

  `alter table case_parts add column subject_id uuid`,
  `update case_parts set subject_id = coalesce(document_id, annotation_id, bookmark_id, clip_id, sensor_id)`,
  `alter table case_parts drop column document_id, drop column annotation_id, drop column bookmark_id,
    drop column clip_id, drop column sensor_id`,
  `create index case_parts_by_subject on case_parts (subject_id) where subject_id is not null`,

  `create or replace function case_part_source() returns trigger language plpgsql as $$
  declare
    label smallint;
  begin
    select classification into label from documents where id = new.subject_id for share;
    if not found then
      select classification into label from annotations where id = new.subject_id for share;
    end if;
    if not found then
      select classification into label from missions where id = new.mission_id for share;
    end if;
    new.classification := coalesce(label, new.classification);
    return new;
  end $$`,

  sourceChanged,
  ...items.flatMap(([item, table, kinds]) => [
    `create trigger case_follows after update of classification, audience, deleted_time on ${table}
      for each row when ((new.classification, new.audience, new.deleted_time)
        is distinct from (old.classification, old.audience, old.deleted_time))
      execute function case_source_changed('${kinds}', '${item}')`,
    `create trigger case_gone before delete on ${table}
      for each row execute function case_source_changed('${kinds}', '${item}', '')`,
  ]),
  ...contents.map(
    ([kind, table, times]) => `create trigger case_gone before delete on ${table}
      for each row execute function case_source_changed('${kind}', '', '${times}')`,
  ),

  `create view case_holds as
    select own.id as case_id, own.number, part.kind, part.subject_id, part.mission_id
    from cases own join case_parts part on part.case_id = own.id
    where own.held and own.deleted_time is null and part.removed_time is null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
