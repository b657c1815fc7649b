import { type Kysely, sql } from 'kysely';

/**
 * Named lists of ships. The maker reads a list whatever its audience is. With the maker's account, lists without a
 * usergroup are deleted, and shared ones stay. `deleted_time`: its rows are removed a day later, so that the
 * notice of lost rights finds them.
 */
const statements = [
  `create table ship_lists (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    colour text check (colour ~ '^#[0-9a-f]{6}$'),
    classification smallint not null check (classification between 1 and 5),
    audience text not null check (audience in ('everyone', 'groups')),
    owner_id uuid references users on delete set null,
    owner text not null,
    created bigint not null,
    changed bigint not null,
    revision integer not null default 1,
    epoch integer not null default 1,
    deleted_time bigint
  )`,
  `create index ship_lists_of_owner on ship_lists (owner_id)`,
  `create index ship_lists_deleted on ship_lists (deleted_time) where deleted_time is not null`,
  `create table ship_list_usergroups (
    shiplist_id uuid not null references ship_lists on delete cascade,
    usergroup_id uuid not null references usergroups on delete cascade,
    primary key (shiplist_id, usergroup_id)
  )`,
  `create index ship_list_usergroups_by_group on ship_list_usergroups (usergroup_id, shiplist_id)`,
  `create table ship_list_ships (
    shiplist_id uuid not null references ship_lists on delete cascade,
    mmsi integer not null,
    note text not null default '',
    primary key (shiplist_id, mmsi)
  )`,
  `create trigger item_rights_changed before update or delete on ship_lists
    for each row execute function item_rights_changed('shiplist')`,
  `create trigger item_rights_changed after insert or update on ship_list_usergroups
    for each row execute function item_rights_changed('shiplist', 'ship_lists')`,
  `create trigger item_rights_lost after delete on ship_list_usergroups referencing old table as lost_links
    for each statement execute function item_rights_changed('shiplist', 'ship_lists')`,
  `create function ship_lists_go() returns trigger language plpgsql as $$
  begin
    delete from ship_lists where owner_id = new.id and audience = 'groups'
      and not exists (select from ship_list_usergroups link where link.shiplist_id = ship_lists.id);
    return null;
  end $$`,
  `create trigger ship_lists_go after update of deleted_time on users
    for each row when (old.deleted_time is null and new.deleted_time is not null) execute function ship_lists_go()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
