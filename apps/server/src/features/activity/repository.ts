import { type ActivityFilter, type ActivityRow, type Actor, type AuditRow, PAGE_MAX } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { accountVisibleTo } from '../../base/access/account-visibility.ts';
import type { AuditRepository, Condition } from '../../base/audit/repository.ts';
import type { Database } from '../../base/db/schema.ts';
import type { Items } from '../../base/items/items.ts';
import { visibleRows } from '../../base/items/visible.ts';
import { kindOf } from './kinds.ts';

/** Maximum number of rows in an export of activity. For more, the audit itself can be exported. */
const EXPORT_MAX = 100_000;

type PageOf = ActivityFilter & { limit: number; after?: string | undefined };

export type ActivityDeps = { db: Kysely<Database>; items: Pick<Items, 'kinds'>; audit: AuditRepository };
export type Activity = ReturnType<typeof activityRepository>;

/** Reads the activity of accounts from the audit, within the reader's rights. */
export function activityRepository({ db, items, audit }: ActivityDeps) {
  async function page(actor: Actor, filter: PageOf): Promise<{ rows: ActivityRow[]; next: string | null }> {
    const { start, end, item, outcome, limit, after } = filter;
    const { rows, next } = await audit.page(
      actor,
      { start, end, item, outcome, limit, after },
      await conditionsOf(actor, filter),
    );
    const clients = await clientsOf(rows);
    return { rows: rows.map((row) => toActivity(row, clients)), next };
  }

  async function count(actor: Actor, filter: ActivityFilter): Promise<number> {
    const { start, end, item, outcome } = filter;
    return audit.count(actor, { start, end, item, outcome }, await conditionsOf(actor, filter));
  }

  /** Yields all rows page by page, newest first. */
  async function* all(actor: Actor, filter: ActivityFilter): AsyncGenerator<ActivityRow[]> {
    let after: string | undefined;
    for (let written = 0; written < EXPORT_MAX; written += PAGE_MAX) {
      const { rows, next } = await page(actor, { ...filter, limit: PAGE_MAX, after });
      yield rows;
      if (next === null) return;
      after = next;
    }
  }

  async function conditionsOf(actor: Actor, { users, kinds }: ActivityFilter): Promise<Condition[]> {
    const conditions = scopeOf(actor);
    if (users?.length) conditions.push(sql`audit.actor_id = any (${users}::uuid[])`);
    if (kinds?.length) {
      const actions = (await audit.actions()).filter((action) => kinds.includes(kindOf(action)));
      conditions.push(sql`audit.action = any (${actions}::text[])`);
    }
    return conditions;
  }

  /** Restricts a groupAdmin to actions of accounts they administer, on items that are visible to them. */
  function scopeOf(actor: Actor): Condition[] {
    if (actor.role !== 'groupAdmin') return [];
    const accounts = db.selectFrom('users').select('users.id').where(accountVisibleTo(actor));
    const isOfItem = items.kinds.map((kind) => sql`audit.item_id in (${visibleRows(kind, db, actor).select('id')})`);
    return [
      sql`audit.actor_id in (${accounts})`,
      sql`(audit.item_id is null or audit.item_id in (${accounts}) or ${sql.join(isOfItem, sql` or `)}
        or audit.item_id = any (${[...actor.administered]}::uuid[]))`,
    ];
  }

  async function clientsOf(rows: readonly AuditRow[]): Promise<Map<string, string>> {
    const sessions = [...new Set(rows.flatMap(({ session }) => session ?? []))];
    if (sessions.length === 0) return new Map();
    const found = await db.selectFrom('credentials').select(['id', 'client']).where('id', 'in', sessions).execute();
    return new Map(found.map(({ id, client }) => [id, client]));
  }

  return { page, count, all };
}

function toActivity(row: AuditRow, clients: ReadonlyMap<string, string>): ActivityRow {
  const { node, seq, time, actor, role, action, item, sensorName, itemLabel, address, outcome, result, session } = row;
  const client = session === null ? null : (clients.get(session) ?? null);
  return {
    node,
    seq,
    time,
    user: actor,
    role,
    kind: kindOf(action),
    action,
    item,
    sensorName,
    itemLabel,
    address,
    client,
    outcome,
    result,
  };
}
