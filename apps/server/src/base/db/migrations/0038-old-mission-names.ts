import { type Kysely, sql } from 'kysely';

/** Names that missions had before they were renamed: links by name keep working for reads. */
const statements = [
  `create table mission_old_names (
    mission_id uuid not null references missions on delete cascade,
    name text not null,
    until bigint not null,
    renamed_by uuid references users on delete set null,
    primary key (mission_id, name)
  )`,
  'create index mission_old_names_by_name on mission_old_names (name, until desc)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
