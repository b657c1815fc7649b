import { createHash, randomBytes } from 'node:crypto';
import { AppError, PASSWORD_LINK_MS } from '@osprey/contract';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { type Allow, heldAccounts } from './repository.ts';

const SECRET_BYTES = 32;

const sha256 = (text: string) => createHash('sha256').update(text).digest();

export type PasswordLinks = ReturnType<typeof passwordLinks>;

/**
 * One-time links by which the owner of an account sets its password. Only hashes are stored; a link is valid for 24 h.
 */
export function passwordLinks({ db, nowUs }: { db: Kysely<Database>; nowUs: () => number }) {
  async function replace(tx: Transaction<Database>, userId: string, madeBy: string) {
    const token = randomBytes(SECRET_BYTES).toString('base64url');
    const row = {
      secret_hash: sha256(token),
      created: nowUs(),
      expires: nowUs() + PASSWORD_LINK_MS * 1000,
      made_by: madeBy,
    };
    await tx
      .insertInto('password_links')
      .values({ user_id: userId, ...row })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
      .execute();
    return { token, expires: row.expires };
  }

  /**
   * Finds a valid link. Only accounts that may sign in are included, since a link does not enable a disabled account.
   */
  const good = (token: string) =>
    db
      .selectFrom('password_links as link')
      .innerJoin('users', 'users.id', 'link.user_id')
      .where('link.secret_hash', '=', sha256(token))
      .where('link.expires', '>', nowUs())
      .where('users.deleted_time', 'is', null)
      .where('users.disabled', '=', false)
      .select(['users.id', 'users.username', 'link.expires']);

  return {
    /** Creates a link for a new account and returns its token, which is not stored. */
    forNew: (userId: string, madeBy: string) => db.transaction().execute((tx) => replace(tx, userId, madeBy)),

    /**
     * Creates a link and removes the old password and all credentials in the same transaction, so that their holders
     * are signed out immediately.
     */
    reset: (userId: string, madeBy: string, allow: Allow) =>
      db.transaction().execute(async (tx) => {
        await heldAccounts(tx, [userId], allow);
        await tx.updateTable('users').set({ password_hash: null }).where('id', '=', userId).execute();
        await tx.deleteFrom('credentials').where('user_id', '=', userId).execute();
        return replace(tx, userId, madeBy);
      }),

    /** @throws AppError linkNotGood */
    async look(token: string): Promise<{ id: string; username: string; expires: number }> {
      const found = await good(token).executeTakeFirst();
      if (found === undefined) throw new AppError('linkNotGood');
      return found;
    },

    /**
     * Sets the password and uses up the link; only one of two concurrent requests succeeds. @throws AppError
     * linkNotGood
     */
    async use(token: string, passwordHash: string): Promise<{ id: string; username: string }> {
      const { id, username } = await this.look(token);
      await db.transaction().execute(async (tx) => {
        const gone = await tx.deleteFrom('password_links').where('secret_hash', '=', sha256(token)).executeTakeFirst();
        if (gone.numDeletedRows === 0n) throw new AppError('linkNotGood');
        await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', id).execute();
        await tx.deleteFrom('credentials').where('user_id', '=', id).execute();
      });
      return { id, username };
    },

    /** Deletes expired links. */
    async sweep(): Promise<void> {
      await db.deleteFrom('password_links').where('expires', '<', nowUs()).execute();
    },
  };
}
