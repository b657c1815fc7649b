import {
  type AccountFacts,
  type Actor,
  AppError,
  type Classification,
  classificationRank,
  DEMO_GROUP,
  type NewUser,
  type Role,
  type UserChange,
} from '@osprey/contract';
import type { Kysely, Transaction } from 'kysely';
import { usernameKey } from '../../base/access/username-key.ts';
import type { Database } from '../../base/db/schema.ts';
import { type Account, accountFacts, type Db, lockedAccounts, selectUsers, toAccount } from './rows.ts';

export type Users = ReturnType<typeof userRepository>;

/** Fields of a new account besides those of the registration. */
export type Granted = {
  /** Null: the owner sets a password by a link. */
  passwordHash: string | null;
  /** Registered, and to be approved before anybody can log in with it. */
  waiting: boolean;
  usergroups: readonly string[];
  usergroupsAdmin?: readonly string[];
  role?: Role;
  clearance?: Classification;
};

/** Called for each account as it is now, while no other transaction can change it; throws the reason against it. */
export type Allow = (target: Account, demo: string) => void;

/** Changes of a bulk call to each account. */
export type BulkChange = { add: readonly string[]; remove: readonly string[]; disabled?: boolean | undefined };

/** All SQL that changes accounts. Deleted ones keep their row, so that what they made and the audit keep their sense. */
export function userRepository({ db, nowUs }: { db: Kysely<Database>; nowUs: () => number }) {
  return {
    async find(id: string): Promise<Account | null> {
      const row = await selectUsers(db).where('users.id', '=', id).executeTakeFirst();
      return row ? toAccount(row) : null;
    },

    async facts(id: string): Promise<AccountFacts | null> {
      const row = await selectUsers(db).where('users.id', '=', id).executeTakeFirst();
      return row ? accountFacts(toAccount(row), await demoGroup(db)) : null;
    },

    async findByNames(names: readonly string[]): Promise<Account[]> {
      if (names.length === 0) return [];
      const rows = await selectUsers(db).where('users.username_key', 'in', names.map(usernameKey)).execute();
      return rows.map(toAccount);
    },

    /** Also of an account that was deleted: its name is not given again. */
    async exists(username: string): Promise<boolean> {
      const row = await db
        .selectFrom('users')
        .select('id')
        .where('username_key', '=', usernameKey(username))
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Group Demo and the granted ones; role user and clearance 1 unless granted. @throws AppError userNameTaken */
    async create(
      fields: Omit<NewUser, 'password'>,
      granted: Granted,
    ): Promise<{ id: string; username: string; disabled: boolean }> {
      return db.transaction().execute(async (tx) => {
        const made = await tx
          .insertInto('users')
          .values({
            username: fields.username,
            username_key: usernameKey(fields.username),
            first_name: fields.first_name,
            last_name: fields.last_name,
            company: fields.company,
            email: fields.email,
            country: fields.country,
            role: granted.role ?? 'user',
            clearance: classificationRank(granted.clearance ?? 'UNCLASSIFIED'),
            password_hash: granted.passwordHash,
            disabled: granted.waiting,
            waiting: granted.waiting,
            registered: nowUs(),
          })
          .returning(['id', 'username', 'disabled'])
          .executeTakeFirstOrThrow()
          .catch((error) => refuseTakenName(error, fields.username));
        await replaceGroups(tx, 'user_usergroups', made.id, [await demoGroup(tx), ...granted.usergroups]);
        await replaceGroups(tx, 'user_administered', made.id, controlledAs(granted.role ?? 'user', granted));
        return made;
      });
    },

    /**
     * Omitted fields stay, except controlled groups if the role changes. Demo is never lost. Returns the account as it
     * was.
     *
     * @throws AppError notFound, unknownUsergroup
     */
    async update(id: string, change: UserChange, allow?: Allow): Promise<Account> {
      return db.transaction().execute(async (tx) => {
        const [before] = await heldAccounts(tx, [id], allow);
        const columns = columnsOf(change);
        if (Object.keys(columns).length > 0) {
          await tx.updateTable('users').set(columns).where('id', '=', id).execute();
        }
        if (change.usergroups) {
          await replaceGroups(tx, 'user_usergroups', id, [await demoGroup(tx), ...change.usergroups]);
        }
        const role = change.authorizationRole ?? before!.authorizationRole;
        if (change.usergroupsAdmin || role !== before!.authorizationRole) {
          await replaceGroups(tx, 'user_administered', id, controlledAs(role, change));
        }
        return before!;
      });
    },

    /** All or none. Demo is never lost. Returns the accounts as they were. @throws AppError notFound, unknownUsergroup */
    async updateAll(ids: readonly string[], { add, remove, disabled }: BulkChange, allow?: Allow): Promise<Account[]> {
      return db.transaction().execute(async (tx) => {
        const users = [...ids];
        const before = await heldAccounts(tx, users, allow);
        await checkExisting(tx, [...add, ...remove]);
        const demo = await demoGroup(tx);
        const gone = remove.filter((group) => group !== demo);
        if (gone.length > 0) {
          await tx
            .deleteFrom('user_usergroups')
            .where('user_id', 'in', users)
            .where('usergroup_id', 'in', gone)
            .execute();
        }
        if (add.length > 0) {
          await tx
            .insertInto('user_usergroups')
            .values(users.flatMap((user_id) => add.map((usergroup_id) => ({ user_id, usergroup_id }))))
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        }
        if (disabled !== undefined) {
          await tx.updateTable('users').set(columnsOf({ disabled })).where('id', 'in', users).execute();
        }
        return before;
      });
    },

    /** @throws AppError notFound */
    async setPassword(id: string, passwordHash: string, allow?: Allow): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await heldAccounts(tx, [id], allow);
        await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', id).execute();
        await tx.deleteFrom('password_links').where('user_id', '=', id).execute();
        await tx.deleteFrom('credentials').where('user_id', '=', id).execute();
      });
    },

    /**
     * Sign-in, rights, groups and personal data are gone; id and name stay, and are not given again. The link to a
     * single sign-on stays too: without it the same person would come back with a new account.
     *
     * @throws AppError notFound
     */
    async remove(ids: readonly string[], allow?: Allow): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const all = [...ids];
        await heldAccounts(tx, all, allow);
        for (const table of GONE_WITH_ACCOUNT) {
          await tx.deleteFrom(table).where('user_id', 'in', all).execute();
        }
        await tx
          .updateTable('users')
          .set({ deleted_time: nowUs(), disabled: true, waiting: false, password_hash: null, ...noPersonalData })
          .where('id', 'in', all)
          .execute();
      });
    },

    /** Id of the group that everybody is in. */
    demoGroup: () => demoGroup(db),
  };
}

/** Recovery codes go with their second factor. */
const GONE_WITH_ACCOUNT = [
  'credentials',
  'password_links',
  'second_factors',
  'user_usergroups',
  'user_administered',
] as const;

const noPersonalData = { first_name: '', last_name: '', company: '', email: '', country: '', last_access: null };

/**
 * Reads these accounts and locks them until the transaction ends, so that the checks stay true. @throws AppError
 * notFound
 */
export async function heldAccounts(tx: Transaction<Database>, ids: readonly string[], allow: Allow = () => undefined) {
  const found = await lockedAccounts(tx, ids);
  const demo = await demoGroup(tx);
  for (const target of found) allow(target, demo);
  if (found.length < ids.length) throw new AppError('notFound');
  return found;
}

/** Only a groupAdmin controls groups; with another role none are kept. */
const controlledAs = (role: Role, { usergroupsAdmin = [] }: { usergroupsAdmin?: readonly string[] | undefined }) =>
  role === 'groupAdmin' ? usergroupsAdmin : [];

/** Groups that a groupAdmin gives to an account he makes, so that it is inside what he administers. */
export const groupsOfMaker = (actor: Actor | null): readonly string[] =>
  actor?.role === 'groupAdmin' ? actor.administered : [];

function columnsOf(change: UserChange) {
  const { firstName, lastName, company, email, country, securityClearance, authorizationRole, disabled } = change;
  const columns = {
    first_name: firstName,
    last_name: lastName,
    company,
    email,
    country,
    clearance: securityClearance && classificationRank(securityClearance),
    role: authorizationRole,
    disabled,
    // Enabling or disabling an account decides about it.
    waiting: disabled === undefined ? undefined : false,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

/** Only what differs is touched: each row that goes or comes is a change of rights. */
async function replaceGroups(
  tx: Transaction<Database>,
  table: 'user_usergroups' | 'user_administered',
  userId: string,
  requested: readonly string[],
): Promise<void> {
  const ids = [...new Set(requested)];
  await checkExisting(tx, ids);
  let gone = tx.deleteFrom(table).where('user_id', '=', userId);
  if (ids.length > 0) gone = gone.where('usergroup_id', 'not in', ids);
  await gone.execute();
  if (ids.length === 0) return;
  await tx
    .insertInto(table)
    .values(ids.map((usergroup_id) => ({ user_id: userId, usergroup_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** @throws AppError unknownUsergroup */
async function checkExisting(tx: Transaction<Database>, groups: readonly string[]): Promise<void> {
  const ids = [...new Set(groups)];
  const existing =
    ids.length === 0 ? [] : await tx.selectFrom('usergroups').select('id').where('id', 'in', ids).execute();
  if (existing.length < ids.length) throw new AppError('unknownUsergroup');
}

async function demoGroup(db: Db): Promise<string> {
  const { id } = await db
    .selectFrom('usergroups')
    .select('id')
    .where('name', '=', DEMO_GROUP)
    .executeTakeFirstOrThrow();
  return id;
}

function refuseTakenName(error: unknown, name: string): never {
  const { constraint } = error as { constraint?: string };
  if (constraint === 'users_username_key') throw new AppError('userNameTaken', { name }, error);
  throw error;
}
