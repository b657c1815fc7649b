import { type Kysely, sql } from 'kysely';

/**
 * Hits of saved searches: a row for each time that a sensor which is recorded comes to see the place, in seconds of its
 * own clock. `probes` find the searches that a footprint may meet; null: to be made, again where an annotation was redrawn.
 */
const statements = [
  `alter table saved_searches
    add column notify boolean not null default true,
    add column probes bigint[]`,
  'create index saved_searches_probes on saved_searches using gin (probes) with (fastupdate = off) where notify',
  'create index saved_searches_unprepared on saved_searches (id) where notify and probes is null',
  `create index saved_searches_annotation on saved_searches ((question -> 'shape' ->> 'id'))
    where question -> 'shape' ->> 'type' = 'Annotation'`,
  `create function saved_searches_redrawn() returns trigger language plpgsql as $$
  begin
    update saved_searches set probes = null
    where question -> 'shape' ->> 'type' = 'Annotation' and question -> 'shape' ->> 'id' = new.id::text;
    return null;
  end $$`,
  `create trigger saved_searches_redrawn after update of features on annotations
    for each row execute function saved_searches_redrawn()`,
  `create table search_hits (
    id uuid primary key default gen_random_uuid(),
    search_id uuid not null references saved_searches on delete cascade,
    sensor_id uuid not null references sensors on delete cascade,
    first int not null,
    last int not null,
    unbroken int not null,
    made bigint not null,
    notified bigint,
    in_sight bigint not null default 0,
    seen boolean not null default false,
    cleared boolean not null default false,
    unique (sensor_id, search_id, first)
  )`,
  'create index search_hits_by_search on search_hits (search_id, notified desc)',
  'create index search_hits_made on search_hits (made)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
