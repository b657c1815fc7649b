import {
  type Actor,
  type Classification,
  classificationOf,
  classificationRank,
  type Role,
  roles,
} from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/schema.ts';
import type { Db } from './as-system.ts';

/** The highest ceiling, which restricts nothing. */
export const NO_CEILING: Classification = 'TOP SECRET';

type GroupRow = { _id: string; classification: number };

/** An account as read from its current rows. Access rights are never decided from an older copy. */
export type Account = {
  actor: Actor;
  epoch: number;
  disabled: boolean;
  passwordHash: string | null;
};

/**
 * Usergroups that each account administers as groupAdmin. A row of `user_administered` has no effect for accounts with
 * another role.
 */
export const controlled = sql`(
  select link.user_id, link.usergroup_id from user_administered link
  join users holder on holder.id = link.user_id and holder.role = 'groupAdmin') controlled`;

/**
 * Query for accounts that are not deleted, with their usergroups and ceilings. The caller adds the condition that
 * selects them.
 */
export function selectAccounts(db: Db) {
  const groups = sql<GroupRow[]>`coalesce((
    select json_agg(json_build_object('_id', held.id, 'classification', held.classification) order by held.name)
    from usergroups held where held.id in (
      select usergroup_id from user_usergroups where user_id = users.id
      union select usergroup_id from ${controlled} where user_id = users.id)), '[]')`;
  const administered = sql<string[]>`array(
    select usergroup_id::text from ${controlled} where user_id = users.id)`;
  return db
    .selectFrom('users')
    .where('users.deleted_time', 'is', null)
    .select(['users.id', 'users.username', 'users.role', 'users.clearance', 'users.epoch', 'users.disabled'])
    .select('users.password_hash')
    .select(groups.as('groups'))
    .select(administered.as('administered'));
}

export type AccountRow = Awaited<ReturnType<ReturnType<typeof selectAccounts>['executeTakeFirstOrThrow']>>;

export function toAccount(row: AccountRow): Account {
  const role = roleOf(row.role);
  const clearance: Classification = role === 'guest' ? 'UNCLASSIFIED' : classificationOf(row.clearance);
  const groups = row.groups.map(({ _id, classification }) => ({ _id, ceiling: classificationOf(classification) }));
  return {
    actor: { id: row.id, username: row.username, role, clearance, groups, administered: row.administered },
    epoch: row.epoch,
    disabled: row.disabled,
    passwordHash: row.password_hash,
  };
}

/** The account with its clearance lowered to the ceiling of its session. */
export function underCeiling(account: Account, ceiling: Classification): Account {
  const { actor } = account;
  return { ...account, actor: { ...actor, clearance: lowerOf(actor.clearance, ceiling), ceiling } };
}

export const lowerOf = (one: Classification, other: Classification): Classification =>
  classificationRank(one) < classificationRank(other) ? one : other;

/** Returns the ceiling of an actor's session. */
export const ceilingOf = ({ ceiling }: Actor): Classification => ceiling ?? NO_CEILING;

/** Returns the ceiling of an actor's session as the number stored in the database, 1 to 5. */
export const ceilingRankOf = (actor: Actor): number => classificationRank(ceilingOf(actor));

export function roleOf(text: string): Role {
  const known = roles.find((role) => role === text);
  if (known === undefined) throw new Error('Unknown role in the database');
  return known;
}

/** All accounts that are neither disabled nor deleted, the guest among them, or those with one role. */
export async function enabledActors(db: Kysely<Database>, role?: Role): Promise<Actor[]> {
  let accounts = selectAccounts(db).where('users.disabled', '=', false);
  if (role !== undefined) accounts = accounts.where('users.role', '=', role);
  return (await accounts.execute()).map((row) => toAccount(row).actor);
}

/** Accounts by id; those that are disabled or deleted are absent. */
export async function actorsById(db: Db, ids: readonly string[]): Promise<Map<string, Account>> {
  if (ids.length === 0) return new Map();
  const rows = await selectAccounts(db)
    .where('users.id', 'in', [...ids])
    .where('users.disabled', '=', false)
    .execute();
  return new Map(rows.map((row) => [row.id, toAccount(row)]));
}

/**
 * Reads the account for work that outlasts its session, with the ceiling (1 to 5) that the session had. Undefined where
 * the account is disabled or deleted.
 */
export async function actorUnder(db: Kysely<Database>, userId: string, ceiling: number): Promise<Actor | undefined> {
  const account = (await actorsById(db, [userId])).get(userId);
  return account && underCeiling(account, classificationOf(ceiling)).actor;
}
