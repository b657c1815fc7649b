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

/** Properties of a new account besides the fields of the registration form. */
export type Granted = {
  /** Null if the owner sets a password with a link. */
  passwordHash: string | null;
  /** True if the account was registered by its owner and has to be approved before it can be used. */
  waiting: boolean;
  usergroups: readonly string[];
  usergroupsAdmin?: readonly string[];
  role?: Role;
  clearance?: Classification;
};

/**
 * Called for each account in its current state, while it is locked against other changes; throws if the change is not
 * allowed.
 */
export type Allow = (target: Account, demo: string) => void;

/** Changes that a bulk call applies to each account. */
export type BulkChange = { add: readonly string[]; remove: readonly string[]; disabled?: boolean | undefined };

/**
 * Reads and changes accounts. Deleted accounts keep their row, so that references from their items and from the audit
 * remain valid.
 */
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

    /** Returns whether the name is taken. Names of deleted accounts count too, since they are not reused. */
    async exists(username: string): Promise<boolean> {
      const row = await db
        .selectFrom('users')
        .select('id')
        .where('username_key', '=', usernameKey(username))
        .executeTakeFirst();
      return row !== undefined;
    },

    /**
     * Creates an account with the group Demo and the granted groups; role user and clearance 1 unless others are
     * granted. @throws AppError userNameTaken
     */
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
     * Changes an account. Omitted fields are kept, except that controlled groups are lost if the role changes. The
     * group Demo is always kept. Returns the account as it was before.
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

    /**
     * Changes all accounts or none. The group Demo is always kept. Returns the accounts as they were before. @throws
     * AppError notFound, unknownUsergroup
     */
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
     * Deletes accounts: sign-in, rights, groups and personal data are removed; id and name are kept and not reused. The
     * link to single sign-on is kept too, since without it the same person would get a new account.
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

    /** Returns the id of the group Demo, which contains all accounts. */
    demoGroup: () => demoGroup(db),
  };
}

/** Tables whose rows are deleted with an account. Recovery codes are deleted together with their second factor. */
const GONE_WITH_ACCOUNT = [
  'credentials',
  'password_links',
  'second_factors',
  'user_usergroups',
  'user_administered',
] as const;

const noPersonalData = { first_name: '', last_name: '', company: '', email: '', country: '', last_access: null };

/**
 * Reads these accounts and locks them until the transaction ends, so that checks remain valid. @throws AppError
 * notFound
 */
export async function heldAccounts(tx: Transaction<Database>, ids: readonly string[], allow: Allow = () => undefined) {
  const found = await lockedAccounts(tx, ids);
  const demo = await demoGroup(tx);
  for (const target of found) allow(target, demo);
  if (found.length < ids.length) throw new AppError('notFound');
  return found;
}

/** Returns the controlled groups for a role: only a groupAdmin controls groups. */
const controlledAs = (role: Role, { usergroupsAdmin = [] }: { usergroupsAdmin?: readonly string[] | undefined }) =>
  role === 'groupAdmin' ? usergroupsAdmin : [];

/**
 * Groups of an account created by a groupAdmin: those that the groupAdmin administers, so that they may administer the
 * account too.
 */
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
    // An account that is enabled or disabled is no longer waiting for approval.
    waiting: disabled === undefined ? undefined : false,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

/** Only rows that differ are written, since each inserted or deleted row is a change of rights. */
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
