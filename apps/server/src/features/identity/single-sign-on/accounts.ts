import type { UserChange } from '@osprey/contract';
import { DEMO_GROUP } from '@osprey/contract';
import type { Kysely, Transaction } from 'kysely';
import { type Account, selectAccounts, toAccount } from '../../../base/access/actors.ts';
import { usernameKey } from '../../../base/access/username-key.ts';
import type { Database } from '../../../base/db/schema.ts';
import { type MappedRights, nameOf } from './mapping.ts';
import type { SignedIn } from './provider.ts';

const NAME_TRIES = 1000;

export type SignOnAccountsDeps = {
  db: Kysely<Database>;
  rightsOf: (claims: SignedIn['claims']) => MappedRights;
  updateUser: (id: string, change: UserChange) => Promise<unknown>;
  nowUs: () => number;
};

type Entered =
  | { account: Account; made: boolean }
  | { account: null; userId: string; why: 'disabled' | 'singleSignOn' };

/**
 * Accounts of single sign-on, identified by issuer and subject, never by name or e-mail. Role, groups and clearance are
 * taken from the current sign-in.
 */
export function signOnAccounts({ db, rightsOf, updateUser, nowUs }: SignOnAccountsDeps) {
  async function find({ issuer, subject }: SignedIn): Promise<string | null> {
    const existing = await db
      .updateTable('single_sign_on')
      .set({ last_sign_in: nowUs() })
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .returning('user_id')
      .executeTakeFirst();
    return existing?.user_id ?? null;
  }

  const make = (signedIn: SignedIn): Promise<string> =>
    db.transaction().execute(async (tx) => {
      const id = await insertUser(tx, nameOf(signedIn.claims, signedIn.subject), nowUs());
      const demo = await tx
        .selectFrom('usergroups')
        .select('id')
        .where('name', '=', DEMO_GROUP)
        .executeTakeFirstOrThrow();
      await tx.insertInto('user_usergroups').values({ user_id: id, usergroup_id: demo.id }).execute();
      const { issuer, subject } = signedIn;
      const times = { created: nowUs(), last_sign_in: nowUs() };
      await tx
        .insertInto('single_sign_on')
        .values({ issuer, subject, user_id: id, ...times })
        .execute();
      return id;
    });

  async function groupIds(names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return [];
    const rows = await db
      .selectFrom('usergroups')
      .select('id')
      .where('name', 'in', [...names])
      .execute();
    return rows.map(({ id }) => id);
  }

  return {
    /**
     * Updates the account from the sign-in and returns it; `made` is true if this was its first sign-in. For an account
     * that may not sign in, returns its id and the reason.
     */
    async enter(signedIn: SignedIn): Promise<Entered> {
      const existing = await find(signedIn);
      const id = existing ?? (await make(signedIn));
      const { role, clearance, groups } = rightsOf(signedIn.claims);
      const usergroups = await groupIds(groups);
      const before = await selectAccounts(db).where('users.id', '=', id).executeTakeFirst();
      // A superAdmin can only be created on this server, and the provider may not change its rights.
      if (before?.disabled) return { account: null, userId: id, why: 'disabled' };
      if (before === undefined || before.role === 'superAdmin') {
        return { account: null, userId: id, why: 'singleSignOn' };
      }
      await updateUser(id, {
        authorizationRole: role,
        securityClearance: clearance,
        usergroups,
        // Control of a group is granted here by an admin. It ends when the provider no longer lists the group.
        usergroupsAdmin: before.administered.filter((id) => usergroups.includes(id)),
        ...personal(signedIn.claims),
      });
      const row = await selectAccounts(db).where('users.id', '=', id).executeTakeFirstOrThrow();
      return { account: toAccount(row), made: existing === null };
    },
  };
}

/**
 * Inserts a user with this name, or with the next free number appended, since an existing account of the same name
 * belongs to someone else.
 */
async function insertUser(tx: Transaction<Database>, name: string, registered: number): Promise<string> {
  for (let number = 1; number <= NAME_TRIES; number++) {
    const username = number === 1 ? name : `${name}-${number}`;
    const made = await tx
      .insertInto('users')
      .values({ username, username_key: usernameKey(username), role: 'user', clearance: 1, registered })
      .onConflict((conflict) => conflict.constraint('users_username_key').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made) return made.id;
  }
  throw new Error('No free name for the account');
}

function personal(claims: SignedIn['claims']): UserChange {
  const text = (value: unknown) =>
    typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 100) : null;
  const [firstName, lastName, email] = [text(claims.given_name), text(claims.family_name), text(claims.email)];
  return { ...(firstName && { firstName }), ...(lastName && { lastName }), ...(email && { email }) };
}
