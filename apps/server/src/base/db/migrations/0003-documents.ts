import { type Kysely, sql } from 'kysely';

/**
 * Documents with their rights, places and words. `head_text` is matched by parts of words, `body_words` (text found
 * inside the file) by beginnings of words; both have an index. Jobs and uploads may belong to documents from here on.
 */
const statements = [
  `create table documents (
    id uuid primary key default gen_random_uuid(),
    title text not null,
    description text not null,
    document_type text not null,
    platform_name text not null,
    classification smallint not null check (classification between 1 and 5),
    marked boolean not null,
    audience text not null check (audience in ('everyone', 'groups')),
    edit_lock boolean not null,
    tags text[] not null,
    author_id uuid references users on delete set null,
    author text not null,
    creation_time bigint not null,
    state text not null default 'Processing',
    message text,
    file_name text not null,
    content text not null,
    size_bytes bigint not null,
    sha256 text not null,
    storage_key text not null,
    thumbnail boolean not null default false,
    pages integer,
    text_scope text not null default 'none',
    body_words tsvector,
    geometry jsonb,
    geometry_source text,
    head_text text not null default '',
    revision integer not null default 1,
    epoch integer not null default 0,
    deleted_time bigint,
    deleted_by uuid references users on delete set null
  )`,
  `create function document_head() returns trigger language plpgsql as $$
  begin
    new.head_text := concat_ws(E'\\n', new.title, new.description, new.author, new.platform_name, new.file_name,
      array_to_string(new.tags, E'\\n'));
    return new;
  end $$`,
  `create trigger document_head before insert or update on documents for each row execute function document_head()`,
  `create index documents_by_creation on documents (creation_time desc, id) where deleted_time is null`,
  `create index documents_by_title on documents (lower(title), id) where deleted_time is null`,
  `create index documents_by_tags on documents using gin (tags)`,
  `create index documents_by_head on documents using gin (head_text gin_trgm_ops)`,
  `create index documents_by_body on documents using gin (body_words)`,
  `create index documents_deleted on documents (deleted_time) where deleted_time is not null`,
  `create table document_usergroups (
    document_id uuid not null references documents on delete cascade,
    usergroup_id uuid not null references usergroups on delete cascade,
    primary key (document_id, usergroup_id)
  )`,
  `create index document_usergroups_by_group on document_usergroups (usergroup_id, document_id)`,
  `create table document_shapes (
    document_id uuid not null references documents on delete cascade,
    shape polygon not null
  )`,
  `create index document_shapes_by_document on document_shapes (document_id)`,
  `create index document_shapes_by_place on document_shapes using gist (shape)`,

  `alter table jobs alter column mission_id drop not null`,
  `alter table jobs alter column sensor_id drop not null`,
  `alter table jobs add column document_id uuid references documents on delete cascade`,
  `create index jobs_by_document on jobs (document_id) where document_id is not null`,
  // Without a sensor it is a file that waits to become a document.
  `alter table uploads alter column sensor_id drop not null`,

  `create function document_rights_changed() returns trigger language plpgsql as $$
  begin
    if (new.classification, new.audience, new.deleted_time is null)
      is distinct from (old.classification, old.audience, old.deleted_time is null) then
      new.epoch := old.epoch + 1;
      perform pg_notify('osprey_rights', json_build_object('document', new.id, 'epoch', new.epoch, 'was', json_build_object(
        'label', old.classification, 'audience', old.audience, 'draft', false,
        'deleted', old.deleted_time is not null))::text);
    elsif new.epoch <> old.epoch then
      perform pg_notify('osprey_rights', json_build_object('document', new.id, 'epoch', new.epoch)::text);
    end if;
    return new;
  end $$`,
  `create trigger document_rights_changed before update on documents
    for each row execute function document_rights_changed()`,
  `create function document_gone() returns trigger language plpgsql as $$
  begin
    perform pg_notify('osprey_rights', json_build_object('document', old.id)::text);
    return null;
  end $$`,
  `create trigger document_gone after delete on documents for each row execute function document_gone()`,
  `create function document_audience_changed() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      perform pg_notify('osprey_rights',
        json_build_object('document', new.document_id, 'gained', new.usergroup_id)::text);
    else
      perform pg_notify('osprey_rights',
        json_build_object('document', old.document_id, 'lost', old.usergroup_id)::text);
      update documents set epoch = epoch + 1 where id = old.document_id;
    end if;
    return null;
  end $$`,
  `create trigger document_audience_changed after insert or delete on document_usergroups
    for each row execute function document_audience_changed()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
