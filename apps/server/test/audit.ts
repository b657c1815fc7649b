import { type Kysely, sql } from 'kysely';
import type { Database } from '../src/base/db/schema.ts';

/** The number of the last row, where one server alone writes. */
export async function lastRowOfAudit(db: Kysely<Database>): Promise<number> {
  const row = await db.selectFrom('audit').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst();
  return row?.seq ?? 0;
}

/** Does work while no row of the audit can be written. */
export async function withoutAudit<T>(db: Kysely<Database>, work: () => Promise<T>): Promise<T> {
  await sql`create or replace function refuse_audit() returns trigger language plpgsql as $$
    begin raise exception 'read only'; end $$`.execute(db);
  await sql`create trigger read_only before insert on audit for each row execute function refuse_audit()`.execute(db);
  try {
    return await work();
  } finally {
    await sql`drop trigger read_only on audit`.execute(db);
  }
}

/** Action, account and label of each audit row of an item. */
export async function notedOf(db: Kysely<Database>, itemId: string) {
  const rows = db.selectFrom('audit').select(['actor_id', 'action', 'item_label']).where('item_id', '=', itemId);
  return (await rows.orderBy('seq').execute()).map((row) => [row.actor_id, row.action, row.item_label]);
}
