import { type Kysely, sql } from 'kysely';

/** Names of places of the site, as its list has them; `folded` is what is looked for. The list is replaced as a whole. */
const statements = [
  `create table site_place_list (
    single boolean primary key default true check (single),
    file_name text not null,
    uploaded bigint not null,
    user_id uuid references users on delete set null
  )`,
  `create table site_places (
    line int primary key,
    name text not null,
    folded text not null,
    kind text not null,
    lat float8 not null,
    lon float8 not null
  )`,
  'create index site_places_folded on site_places (folded text_pattern_ops)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
