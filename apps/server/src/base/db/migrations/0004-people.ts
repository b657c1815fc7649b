import { type Kysely, sql } from 'kysely';

/** The words by which an account is found; only the product's own code queries them. */
const words = `lower(username || ' ' || first_name || ' ' || last_name || ' ' || company || ' ' || email)`;

const statements = [
  // Registered and not approved yet; such an account is disabled too.
  `alter table users add column waiting boolean not null default false`,
  `alter table users add column search_text text generated always as (${words}) stored`,
  `create index users_by_words on users using gin (search_text gin_trgm_ops)`,
  `create index users_by_registered on users (registered, id)`,
  `create index users_by_last_access on users (last_access, id)`,
  `create index users_by_company on users (lower(company), id)`,
  `create index user_usergroups_by_group on user_usergroups (usergroup_id, user_id)`,
  `create index user_administered_by_group on user_administered (usergroup_id, user_id)`,
  // One link at a time for each account: a new one takes the place of the one before.
  `create table password_links (
    user_id uuid primary key references users on delete cascade,
    secret_hash bytea not null constraint password_links_secret unique,
    created bigint not null,
    expires bigint not null,
    made_by uuid references users on delete set null
  )`,
  // Names of deleted accounts are not given again, and their personal data go. Where a name was given again already,
  // it belongs to the account that has it now.
  `update users set first_name = '', last_name = '', company = '', email = '', country = '', last_access = null
    where deleted_time is not null`,
  `update users set username_key = left(username_key, length(username_key) - 37)
    where deleted_time is not null and right(username_key, 37) = '/' || id::text
      and not exists (select from users other
        where other.id <> users.id
          and left(users.username_key, length(users.username_key) - 37) in (other.username_key,
            case when right(other.username_key, 37) = '/' || other.id::text
              then left(other.username_key, length(other.username_key) - 37) end))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
