import { type Kysely, sql } from 'kysely';

/** Second factors and their recovery codes; accounts of a single sign-on by issuer and subject. */
const statements = [
  `create table second_factors (
    user_id uuid primary key references users on delete cascade,
    secret text not null,
    created bigint not null,
    confirmed bigint,
    last_step bigint not null default 0
  )`,
  `create table recovery_codes (
    user_id uuid not null references second_factors on delete cascade,
    code_hash bytea not null,
    primary key (user_id, code_hash)
  )`,
  `create table single_sign_on (
    issuer text not null,
    subject text not null,
    user_id uuid not null references users on delete cascade,
    created bigint not null,
    last_sign_in bigint not null,
    primary key (issuer, subject)
  )`,
  `create index single_sign_on_by_user on single_sign_on (user_id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
