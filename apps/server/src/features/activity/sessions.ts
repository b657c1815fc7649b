import { type Actor, AppError, CREDENTIAL_IDLE_MS } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { accountFactsOf, accountVisibleTo } from '../../base/access/account-visibility.ts';
import { roleOf } from '../../base/access/actors.ts';
import { authorize } from '../../base/access/authorize.ts';
import type { Database } from '../../base/db/schema.ts';

export type Sessions = ReturnType<typeof openSessions>;

/** Sessions of all accounts, one for each device credential. Ending one closes its sockets and media. */
export function openSessions({ db, nowUs }: { db: Kysely<Database>; nowUs: () => number }) {
  return {
    async list(actor: Actor, users: readonly string[] | undefined) {
      let query = db
        .selectFrom('credentials')
        .innerJoin('users', 'users.id', 'credentials.user_id')
        .where(accountVisibleTo(actor))
        .where('credentials.expires', '>', nowUs())
        .where((eb) => {
          const idleSince = nowUs() - CREDENTIAL_IDLE_MS * 1000;
          return eb.or([eb('credentials.for_script', '=', true), eb('credentials.last_used', '>', idleSince)]);
        })
        .select(['credentials.id', 'credentials.user_id', 'users.username', 'users.role'])
        .select(['credentials.created', 'last_used', 'expires', 'client', 'address'])
        .orderBy('last_used', 'desc')
        .orderBy('credentials.id');
      if (users?.length) query = query.where('credentials.user_id', 'in', users);
      const rows = await query.execute();
      return rows.map((row) => ({
        _id: row.id,
        user: { _id: row.user_id, username: row.username },
        role: roleOf(row.role),
        created: row.created,
        lastUsed: row.last_used,
        expires: row.expires,
        client: row.client,
        address: row.address,
      }));
    },

    /** Ends all of the sessions or none. Returns the sessions with their users. @throws AppError notFound, forbidden */
    async end(actor: Actor, ids: readonly string[]): Promise<{ id: string; userId: string }[]> {
      const requested = [...new Set(ids)];
      const rows = await db.selectFrom('credentials').select(['id', 'user_id']).where('id', 'in', requested).execute();
      const owners = [...new Set(rows.map(({ user_id }) => user_id))];
      const facts = owners.length === 0 ? [] : await accountFactsOf(db, owners);
      for (const target of facts) authorize(actor, 'user.endSession', target);
      if (rows.length < requested.length) throw new AppError('notFound');
      await db.deleteFrom('credentials').where('id', 'in', requested).execute();
      return rows.map(({ id, user_id }) => ({ id, userId: user_id }));
    },
  };
}
