import {
  type Actor,
  AppError,
  type AuditFilter,
  type AuditRow,
  classificationOf,
  classificationRank,
} from '@osprey/contract';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { roleOf } from '../access/actors.ts';
import type { Db } from '../access/as-system.ts';
import { usernameKey } from '../access/username-key.ts';
import type { ChainedRow } from '../db/audit-rows.ts';
import { prepared } from '../db/prepared.ts';
import type { Database } from '../db/schema.ts';
import type { Items } from '../items/items.ts';
import { isAmong } from '../items/names.ts';
import { mayShowUnlabelled } from './about-now.ts';
import { HASHED_COLUMNS } from './chain.ts';
import { sensorNames } from './sensor-names.ts';

/** The columns of a row that pages show, which exclude the hashes. */
type Stored = Pick<Selectable<Database['audit']>, (typeof HASHED_COLUMNS)[number]>;
/** A row with the names of actor and item. A name is null if there is none that the caller may see. */
type Named = Stored & { actor_name: string | null; item_name: string | null; sensor_name: string | null };
export type Condition = RawBuilder<boolean>;

const EXPORT_ROWS = 2000;
/** Rows without an item count as below every label. */
const rank = sql<number>`coalesce(audit.item_label, 0)`;
const columns = sql.raw(HASHED_COLUMNS.join(', '));
const newestFirst = sql`time desc, node desc, seq desc`;

export const isId = (text: string): boolean => z.guid().safeParse(text).success;

export type AuditRepository = ReturnType<typeof auditRepository>;

export type AuditRepositoryDeps = { db: Db; items: Pick<Items, 'namesOf' | 'idsNamed'>; systemHigh: number };

/**
 * Reads the audit. `systemHigh` is the highest label of the installation: readers cleared for it see every row, others
 * only rows about items up to their own clearance.
 */
export function auditRepository({ db, items, systemHigh }: AuditRepositoryDeps) {
  const clearanceOf = (actor: Actor) => classificationRank(actor.clearance);
  const seesAll = (actor: Actor): boolean => clearanceOf(actor) >= systemHigh;

  /**
   * Returns one page, newest first, and the cursor of the next page (null on the last page). `within` adds further
   * conditions.
   */
  async function page(
    actor: Actor,
    filter: AuditFilter & { limit: number; after?: string | undefined },
    within: readonly Condition[] = [],
  ): Promise<{ rows: AuditRow[]; next: string | null }> {
    const place = filter.after === undefined ? [] : [isBefore(readCursor(filter.after))];
    const { rows: found } = await (await newest(actor, filter, [...within, ...place])).execute(db);
    const rows = found.slice(0, filter.limit);
    const last = rows.at(-1);
    const next = found.length > filter.limit && last ? cursorText(last) : null;
    return { rows: (await addNames(actor, rows)).map(toRow), next };
  }

  /**
   * Builds the query of the newest rows. For a lower clearance it merges one index scan per label, so that a page does
   * not have to read past all rows above that clearance. Each label is inserted as a literal, since the planner cannot
   * estimate the frequency of a parameter. Rows of one account or item have an index of their own without the label, so
   * a single scan suffices for them.
   */
  async function newest(
    actor: Actor,
    filter: AuditFilter & { limit: number },
    within: readonly Condition[],
  ): Promise<RawBuilder<Stored>> {
    const limit = filter.limit + 1;
    if (seesAll(actor) || filter.actor !== undefined || filter.item !== undefined) {
      return scan([...within, ...(await visibleConditions(actor, filter))], limit);
    }
    const conditions = [...within, ...(await conditionsOf(actor, filter))];
    const labels = Array.from({ length: clearanceOf(actor) + 1 }, (_none, label) => label);
    const ofLabel = (label: number) => [
      sql<boolean>`${rank} = ${label}`,
      ...(label === 0 ? [mayShowUnlabelled(clearanceOf(actor))] : []),
    ];
    const scans = labels.map((label) => sql`(${scan([...conditions, ...ofLabel(label)], limit)})`);
    return sql<Stored>`select * from (${sql.join(scans, sql` union all `)}) as merged order by ${newestFirst} limit ${limit}`;
  }

  async function count(actor: Actor, filter: AuditFilter, within: readonly Condition[] = []): Promise<number> {
    const conditions = [...within, ...(await visibleConditions(actor, filter))];
    const { total } = await selectWhere(db, conditions)
      .select(sql<number>`count(*)`.as('total'))
      .executeTakeFirstOrThrow();
    return total;
  }

  /** Yields all rows that match the filter in batches, oldest first within each chain. */
  async function* all(actor: Actor, filter: AuditFilter): AsyncGenerator<ChainedRow[]> {
    const conditions = await visibleConditions(actor, filter);
    yield* chains(db, conditions);
  }

  /**
   * Returns the distinct action names. The recursive query jumps from one name to the next in the index instead of
   * reading all rows.
   */
  async function actions(): Promise<string[]> {
    const { rows } = await sql<{ action: string }>`
      with recursive names (action) as (
        select min(action) from audit
        union all
        select (select min(audit.action) from audit where audit.action > names.action) from names
        where names.action is not null
      ) select action from names where action is not null order by action`.execute(db);
    return rows.map(({ action }) => action);
  }

  async function visibleConditions(actor: Actor, filter: AuditFilter): Promise<Condition[]> {
    const conditions = await conditionsOf(actor, filter);
    if (seesAll(actor)) return conditions;
    const clearance = clearanceOf(actor);
    return [...conditions, sql<boolean>`${rank} <= ${clearance}`, mayShowUnlabelled(clearance)];
  }

  async function conditionsOf(actor: Actor, filter: AuditFilter): Promise<Condition[]> {
    const conditions: Condition[] = [];
    if (filter.start !== undefined) conditions.push(sql`audit.time >= ${filter.start}`);
    if (filter.end !== undefined) conditions.push(sql`audit.time <= ${filter.end}`);
    if (filter.outcome !== undefined) conditions.push(sql`audit.decision = ${filter.outcome}`);
    if (filter.actor !== undefined) conditions.push(isIn(sql`audit.actor_id`, 'uuid', await usersNamed(filter.actor)));
    if (filter.item !== undefined)
      conditions.push(isIn(sql`audit.item_id`, 'uuid', await itemsNamed(actor, filter.item)));
    if (filter.actions?.length) conditions.push(isIn(sql`audit.action`, 'text', filter.actions));
    return conditions;
  }

  async function usersNamed(idOrName: string): Promise<string[]> {
    if (isId(idOrName)) return [idOrName];
    const rows = await db
      .selectFrom('users')
      .select('id')
      .where((eb) => eb.or([eb('username_key', '=', usernameKey(idOrName)), eb('username', '=', idOrName.trim())]))
      .execute();
    return rows.map(({ id }) => id);
  }

  async function itemsNamed(actor: Actor, idOrName: string): Promise<string[]> {
    if (isId(idOrName)) return [idOrName];
    const [found, groups, users] = await Promise.all([
      items.idsNamed(db, actor, idOrName),
      db.selectFrom('usergroups').select('id').where('name', '=', idOrName).execute(),
      usersNamed(idOrName),
    ]);
    return [...found, ...groups.map(({ id }) => id), ...users];
  }

  /**
   * Adds the names that the caller may currently see. This is a separate statement because it can be planned once,
   * while the page query must be planned for each set of values.
   */
  async function addNames(actor: Actor, found: readonly Stored[]): Promise<Named[]> {
    const ids = [...new Set(found.flatMap(({ actor_id, item_id }) => [actor_id, item_id]))].filter((id) => id !== null);
    const users = db
      .selectFrom('users')
      .select(['id', 'username as name'])
      .where(isAmong(sql.ref('users.id'), ids));
    const groups = db
      .selectFrom('usergroups')
      .select(['id', 'name'])
      .where(isAmong(sql.ref('usergroups.id'), ids));
    const ofItems = items.namesOf(db, actor, ids);
    const rows = await prepared(
      db,
      ofItems.reduce((all, own) => all.unionAll(own), users.unionAll(groups)),
    );
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
    const withNames = found.map((row) => ({
      ...row,
      actor_name: nameOf(row.actor_id),
      item_name: nameOf(row.item_id),
    }));
    const sensorOf = await sensorNames(db, withNames);
    return withNames.map((row) => ({ ...row, sensor_name: sensorOf(row) }));
  }

  return { seesAll, page, count, all, actions };
}

type Last = Pick<ChainedRow, 'node' | 'seq'>;

/**
 * Yields rows oldest first within each chain, for exports and verification. The next batch is read while the current
 * one is used.
 */
export async function* chains(db: Db, conditions: readonly Condition[] = []): AsyncGenerator<ChainedRow[]> {
  let coming = readBehind({ node: '', seq: 0 });
  for (let goesOn = true; goesOn; ) {
    const rows = await coming;
    const last = rows.at(-1);
    goesOn = last !== undefined && rows.length === EXPORT_ROWS;
    if (last && goesOn) {
      coming = readBehind(last);
      // Prevents an unhandled rejection if the caller stops before it needs the prefetched rows.
      coming.catch(() => undefined);
    }
    yield rows;
  }

  function readBehind({ node, seq }: Last): Promise<ChainedRow[]> {
    return selectWhere(db, [...conditions, sql`(audit.node, audit.seq) > (${node}, ${seq})`])
      .selectAll('audit')
      .orderBy('node')
      .orderBy('seq')
      .limit(EXPORT_ROWS)
      .execute();
  }
}

function scan(conditions: readonly Condition[], limit: number): RawBuilder<Stored> {
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  return sql<Stored>`select ${columns} from audit ${where} order by ${newestFirst} limit ${limit}`;
}

function selectWhere(db: Db, conditions: readonly Condition[]) {
  let query = db.selectFrom('audit');
  for (const condition of conditions) query = query.where(condition);
  return query;
}

/** A single value is compared with `=`, so that its index also provides the order. */
function isIn(column: RawBuilder<unknown>, type: 'uuid' | 'text', values: readonly string[]): Condition {
  const name = sql.raw(type);
  return values.length === 1 ? sql`${column} = ${values[0]}::${name}` : sql`${column} = any (${values}::${name}[])`;
}

type Place = Pick<Stored, 'time' | 'node' | 'seq'>;

const isBefore = ({ time, node, seq }: Place): Condition =>
  sql`(audit.time, audit.node, audit.seq) < (${time}, ${node}, ${seq})`;

const cursor = z.tuple([z.int(), z.string(), z.int()]);

const cursorText = ({ time, node, seq }: Place): string =>
  Buffer.from(JSON.stringify([time, node, seq])).toString('base64url');

/** @throws AppError invalid for a cursor that this server did not issue */
function readCursor(text: string): Place {
  try {
    const [time, node, seq] = cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { time, node, seq };
  } catch (error) {
    throw new AppError('invalid', { 'query.after': 'Not the X-Next-After of a page' }, error);
  }
}

function toRow(row: Named): AuditRow {
  const { node, seq, time, session, address, action, via, result, reason } = row;
  return {
    node,
    seq,
    time,
    actor: row.actor_id === null ? null : { _id: row.actor_id, username: row.actor_name ?? '' },
    role: row.role === null ? null : roleOf(row.role),
    clearance: labelOf(row.clearance),
    session,
    address,
    action,
    item: row.item_id === null ? null : { _id: row.item_id, name: row.item_name },
    sensorName: row.sensor_name,
    itemLabel: labelOf(row.item_label),
    usergroups: row.groups,
    outcome: row.decision,
    via,
    result,
    reason,
  };
}

/** 0 means that the subject has no label. */
const labelOf = (number: number | null) => (number ? classificationOf(number) : null);
