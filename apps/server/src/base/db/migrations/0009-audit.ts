import { type Kysely, sql } from 'kysely';

/**
 * The audit is read newest first, by one filter or another; each has an index in that order, so that a page costs the
 * same for any table size. Checkpoints are signed and, like the rows, only ever added.
 */
const statements = [
  `create index audit_by_time on audit (time, node, seq)`,
  `create index audit_by_actor on audit (actor_id, time, node, seq)`,
  `create index audit_by_action on audit (action, time, node, seq)`,
  `create index audit_by_item on audit (item_id, time, node, seq) where item_id is not null`,
  `create index audit_by_label on audit ((coalesce(item_label, 0)), time, node, seq)`,
  `create index audit_refused on audit (time, node, seq) where decision = 'refused'`,
  `create table audit_checkpoints (
    number bigint primary key,
    time bigint not null,
    chains jsonb not null,
    key_id text not null,
    signature bytea not null
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
