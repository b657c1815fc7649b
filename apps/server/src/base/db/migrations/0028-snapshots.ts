import { type Kysely, sql } from 'kysely';

/**
 * The frames that snapshots show. A snapshot is a document, and is derived from its mission: its label is at least the
 * mission's, its audience at most the mission's. When the mission changes, `snapshots_follow` makes it so before the commit,
 * when all of the mission's new audience is written; what was narrowed stays narrow when the mission is shared with more
 * people. A snapshot outlives its mission.
 */
const statements = [
  `create table snapshots (
    document_id uuid primary key references documents on delete cascade,
    mission_id uuid references missions on delete set null,
    sensor_id uuid references sensors on delete set null,
    sensor_name text not null,
    file_id uuid,
    run integer,
    pts bigint,
    taken_time bigint not null,
    picture text not null check (picture in ('server', 'browser')),
    telemetry jsonb
  )`,
  `create index snapshots_by_mission on snapshots (mission_id) where mission_id is not null`,
  `create function snapshots_follow() returns trigger language plpgsql as $$
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
    if not exists (select from snapshots where mission_id = source) then return null; end if;
    select * into mission from missions where id = source;
    if not found then return null; end if;
    update documents set classification = mission.classification from snapshots own
      where own.document_id = documents.id and own.mission_id = source and documents.classification < mission.classification;
    if mission.audience = 'groups' then
      insert into document_usergroups (document_id, usergroup_id)
        select documents.id, link.usergroup_id from snapshots own
          join documents on documents.id = own.document_id
          join mission_usergroups link on link.mission_id = own.mission_id
          where own.mission_id = source and documents.audience = 'everyone'
        on conflict do nothing;
      update documents set audience = 'groups' from snapshots own
        where own.document_id = documents.id and own.mission_id = source and documents.audience = 'everyone';
      delete from document_usergroups shared using snapshots own
        where own.document_id = shared.document_id and own.mission_id = source
          and not exists (select from mission_usergroups link
            where link.mission_id = source and link.usergroup_id = shared.usergroup_id);
    end if;
    return null;
  end $$`,
  `create constraint trigger snapshots_follow after update of classification, audience on missions
    deferrable initially deferred for each row execute function snapshots_follow()`,
  `create constraint trigger snapshots_follow after insert or update or delete on mission_usergroups
    deferrable initially deferred for each row execute function snapshots_follow()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
