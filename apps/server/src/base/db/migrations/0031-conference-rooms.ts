import { type Kysely, sql } from 'kysely';

/** Keeps the label of a room at the lowest ceiling of its usergroups when these change. */
const labelsFollow = `create function room_labels_follow() returns trigger language plpgsql as $$
  begin
    update rooms set classification = ceiling.lowest
      from (
        select link.room_id, min(usergroups.classification) as lowest
        from room_usergroups link join usergroups on usergroups.id = link.usergroup_id
        where case when tg_table_name = 'usergroups'
          then link.room_id in (select room_id from room_usergroups where usergroup_id = (to_jsonb(new) ->> 'id')::uuid)
          else link.room_id = (to_jsonb(coalesce(new, old)) ->> 'room_id')::uuid end
        group by link.room_id
      ) ceiling
      where rooms.id = ceiling.room_id and rooms.classification <> ceiling.lowest;
    return null;
  end $$`;

const statements = [
  `create table rooms (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    classification smallint not null check (classification between 1 and 5),
    audience text not null default 'groups' check (audience in ('everyone', 'groups')),
    epoch integer not null default 1,
    empty_timeout_s integer not null,
    max_participants integer not null,
    maker_id uuid references users on delete set null,
    created bigint not null,
    empty_since bigint,
    used boolean not null default false,
    deleted_time bigint
  )`,
  `create index rooms_by_name on rooms (name) where deleted_time is null`,
  `create table room_usergroups (
    room_id uuid not null references rooms on delete cascade,
    usergroup_id uuid not null references usergroups on delete cascade,
    primary key (room_id, usergroup_id)
  )`,
  `create index room_usergroups_by_group on room_usergroups (usergroup_id, room_id)`,
  `create trigger item_rights_changed before update or delete on rooms
    for each row execute function item_rights_changed('room')`,
  `create trigger item_rights_changed after insert or update on room_usergroups
    for each row execute function item_rights_changed('room', 'rooms')`,
  `create trigger item_rights_lost after delete on room_usergroups referencing old table as lost_links
    for each statement execute function item_rights_changed('room', 'rooms')`,
  labelsFollow,
  `create trigger room_labels_follow after update of classification on usergroups
    for each row execute function room_labels_follow()`,
  `create trigger room_labels_follow after insert or update or delete on room_usergroups
    for each row execute function room_labels_follow()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
