import { type AccountFacts, type AccountState, classificationOf, type User } from '@osprey/contract';
import { type Kysely, sql, type Transaction } from 'kysely';
import { controlled, roleOf } from '../../base/access/actors.ts';
import type { Database } from '../../base/db/schema.ts';

export type Db = Kysely<Database> | Transaction<Database>;

/** An account as stored; the number of its open pages is not part of it, since only the sockets know it. */
export type Account = Omit<User, 'onlineCount'>;

/**
 * SQL condition that is true for an account with neither a password nor single sign-on, which therefore cannot sign in;
 * the guest needs neither.
 */
const cannotEnter = sql<boolean>`(users.password_hash is null and users.role <> 'guest'
  and not exists (select from single_sign_on link where link.user_id = users.id))`;

const hasSecondFactor = sql<boolean>`exists (select from second_factors factor
  where factor.user_id = users.id and factor.confirmed is not null)`;

/** Selects the accounts that are not deleted. */
export function selectUsers(db: Db) {
  const inGroups = sql<string[]>`array(select usergroup_id::text from user_usergroups where user_id = users.id)`;
  const administered = sql<string[]>`array(select usergroup_id::text from ${controlled} where user_id = users.id)`;
  return db
    .selectFrom('users')
    .select(['users.id', 'username', 'first_name', 'last_name', 'company', 'email', 'country', 'role', 'clearance'])
    .select(['disabled', 'waiting', 'registered', 'last_access'])
    .select(sql<boolean>`not ${cannotEnter}`.as('can_enter'))
    .select(hasSecondFactor.as('has_second_factor'))
    .select([inGroups.as('usergroups'), administered.as('administered')])
    .where('users.deleted_time', 'is', null);
}

/**
 * Reads accounts and locks their rows until the end of the transaction, so that decisions based on them remain valid.
 */
export async function lockedAccounts(tx: Transaction<Database>, ids: readonly string[]): Promise<Account[]> {
  // Lock first, always in the same order, and read with a second statement: one that had to wait for a lock would still
  // see the groups from before.
  await tx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forUpdate()
    .execute();
  const rows = await selectUsers(tx)
    .where('users.id', 'in', [...ids])
    .execute();
  return rows.map(toAccount);
}

type UserRow = Awaited<ReturnType<ReturnType<typeof selectUsers>['executeTakeFirstOrThrow']>>;

export function toAccount(row: UserRow): Account {
  return {
    _id: row.id,
    username: row.username,
    firstName: row.first_name,
    lastName: row.last_name,
    company: row.company,
    email: row.email,
    country: row.country,
    authorizationRole: roleOf(row.role),
    securityClearance: classificationOf(row.clearance),
    usergroups: row.usergroups,
    usergroupsAdmin: row.administered,
    disabled: row.disabled,
    state: stateOf(row),
    secondFactor: row.has_second_factor,
    registered: row.registered,
    lastAccess: row.last_access,
  };
}

function stateOf({ waiting, disabled, can_enter }: UserRow): AccountState {
  if (waiting) return 'waiting';
  if (disabled) return 'disabled';
  return can_enter ? 'active' : 'invited';
}

/** SQL expression for the state of an account, for filters. */
export const stateInSql = sql<AccountState>`case
  when users.waiting then 'waiting'
  when users.disabled then 'disabled'
  when ${cannotEnter} then 'invited'
  else 'active' end`;

/**
 * Returns the facts of an account for access checks. The group Demo is left out, since every account is in it, so that
 * it says nothing about who administers the account.
 */
export function accountFacts(user: Account, demo: string): AccountFacts {
  return {
    id: user._id,
    username: user.username,
    role: user.authorizationRole,
    usergroups: user.usergroups.filter((id) => id !== demo),
  };
}
