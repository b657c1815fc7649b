import { type Kysely, sql } from 'kysely';

/**
 * Annotations with their rights, places and words. One with a mission is derived from it: its label is at least the
 * mission's, its audience at most the mission's, it is a draft or in the bin while the mission is. When the mission
 * changes, `annotations_follow` makes it so before the commit, when all of the mission's new audience is written; what
 * was narrowed stays narrow when the mission is shared with more people.
 */
const statements = [
  `create table annotations (
    id uuid primary key default gen_random_uuid(),
    title text not null,
    description text not null,
    annotation_type text not null,
    classification smallint not null check (classification between 1 and 5),
    marked boolean not null,
    audience text not null check (audience in ('everyone', 'groups')),
    edit_lock boolean not null,
    tags text[] not null,
    author_id uuid references users on delete set null,
    author text not null,
    creation_time bigint not null,
    state text not null default 'Ready' check (state in ('Ready', 'Created')),
    mission_id uuid references missions on delete cascade,
    start_time bigint,
    end_time bigint,
    features jsonb not null,
    geometries integer not null,
    vertices integer not null,
    head_text text not null default '',
    revision integer not null default 1,
    epoch integer not null default 0,
    deleted_time bigint,
    deleted_by uuid references users on delete set null,
    deleted_with_mission boolean not null default false
  )`,
  `create function annotation_head() returns trigger language plpgsql as $$
  begin
    new.head_text := concat_ws(E'\\n', new.title, new.description, new.author, array_to_string(new.tags, E'\\n'));
    return new;
  end $$`,
  `create trigger annotation_head before insert or update on annotations
    for each row execute function annotation_head()`,
  `create index annotations_by_creation on annotations (creation_time desc, id) where deleted_time is null`,
  `create index annotations_by_tags on annotations using gin (tags) with (fastupdate = off)`,
  `create index annotations_by_head on annotations using gin (head_text gin_trgm_ops) with (fastupdate = off)`,
  `create index annotations_by_mission on annotations (mission_id) where mission_id is not null`,
  `create index annotations_deleted on annotations (deleted_time) where deleted_time is not null`,
  `create table annotation_usergroups (
    annotation_id uuid not null references annotations on delete cascade,
    usergroup_id uuid not null references usergroups on delete cascade,
    primary key (annotation_id, usergroup_id)
  )`,
  `create index annotation_usergroups_by_group on annotation_usergroups (usergroup_id, annotation_id)`,
  `create table annotation_shapes (
    annotation_id uuid not null references annotations on delete cascade,
    feature integer not null,
    shape polygon not null
  )`,
  `create index annotation_shapes_by_annotation on annotation_shapes (annotation_id)`,
  `create index annotation_shapes_by_place on annotation_shapes using gist (shape)`,
  `create table annotation_levels (
    annotation_id uuid not null references annotations on delete cascade,
    zoom smallint not null,
    features jsonb not null,
    primary key (annotation_id, zoom)
  )`,
  `create trigger item_rights_changed before update or delete on annotations
    for each row execute function item_rights_changed('annotation', 'Created')`,
  `create trigger item_rights_changed after insert or update on annotation_usergroups
    for each row execute function item_rights_changed('annotation', 'annotations')`,
  `create trigger item_rights_lost after delete on annotation_usergroups referencing old table as lost_links
    for each statement execute function item_rights_changed('annotation', 'annotations')`,

  `create function annotations_follow() returns trigger language plpgsql as $$
  declare
    source uuid;
    mission missions%rowtype;
  begin
    if tg_table_name = 'missions' then
      source := new.id;
    elsif tg_op = 'DELETE' then
      source := old.mission_id;
    else
      source := new.mission_id;
    end if;
    if not exists (select from annotations where mission_id = source) then return null; end if;
    select * into mission from missions where id = source;
    if not found then return null; end if;
    update annotations set
        classification = greatest(classification, mission.classification),
        state = case when mission.state = 'Created' then 'Created' else 'Ready' end
      where mission_id = source and (classification < mission.classification
        or state <> case when mission.state = 'Created' then 'Created' else 'Ready' end);
    if mission.audience = 'groups' then
      insert into annotation_usergroups (annotation_id, usergroup_id)
        select own.id, link.usergroup_id from annotations own
          join mission_usergroups link on link.mission_id = own.mission_id
          where own.mission_id = source and own.audience = 'everyone'
        on conflict do nothing;
      update annotations set audience = 'groups' where mission_id = source and audience = 'everyone';
      delete from annotation_usergroups own using annotations
        where annotations.id = own.annotation_id and annotations.mission_id = source
          and not exists (select from mission_usergroups link
            where link.mission_id = source and link.usergroup_id = own.usergroup_id);
    end if;
    if mission.deleted_time is not null then
      update annotations set deleted_time = mission.deleted_time, deleted_by = mission.deleted_by, deleted_with_mission = true
        where mission_id = source and deleted_time is null;
    else
      update annotations set deleted_time = null, deleted_by = null, deleted_with_mission = false
        where mission_id = source and deleted_with_mission;
    end if;
    return null;
  end $$`,
  `create constraint trigger annotations_follow after update of classification, audience, state, deleted_time on missions
    deferrable initially deferred for each row execute function annotations_follow()`,
  `create constraint trigger annotations_follow after insert or update or delete on mission_usergroups
    deferrable initially deferred for each row execute function annotations_follow()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
