import { type Kysely, sql } from 'kysely';

/**
 * Minutes of UTC in which a source heard anything: distinguishes "no ships" from "no receiver" without reading
 * positions. A row a source and minute, 1,440 a day.
 */
const statements = [
  `create table ais_heard (
    source_id integer not null references ais_sources on delete cascade,
    minute integer not null,
    primary key (source_id, minute)
  )`,
  `insert into ais_heard (source_id, minute)
    select distinct source_id, (time / 60000000)::integer from ais_positions
    union select distinct source_id, (time / 60000000)::integer from ais_mission_positions`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
