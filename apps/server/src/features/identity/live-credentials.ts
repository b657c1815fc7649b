import { NO_CEILING } from '../../base/access/actors.ts';
import { noticed } from '../../base/access/noticed.ts';
import type { LiveRights } from '../../base/items/live-rights.ts';
import type { CredentialRow, Credentials, Found } from './credentials.ts';

/** The credential functions that media requests need. */
export type LiveCredentials = Pick<Credentials, 'bySecret' | 'byCookie'> & {
  /** Null for a credential that is no longer valid. */
  byId: (id: string) => Promise<CredentialRow | null>;
};

export type LiveCredentialsDeps = { credentials: Credentials; live: LiveRights };

/** Caches credentials in memory until a notice says that they changed. */
export function liveCredentials({ credentials, live }: LiveCredentialsDeps): LiveCredentials {
  const { hashOf, isUsable, fitsCookie, touch } = credentials;
  const bySecret = noticed<CredentialRow | null>((hash) => credentials.row('secret_hash', hash));
  const byCookie = noticed<CredentialRow | null>((hash) => credentials.row('cookie_hash', hash));
  const byId = noticed<CredentialRow | null>((id) => credentials.row('id', id));
  const all = [bySecret, byCookie, byId];
  const forgetAll = () => {
    for (const cached of all) cached.forgetAll();
  };
  live.follow({ notice: (notice) => void ('credential' in notice && forgetAll()), forgetAll });

  /** A credential that seems idle may have been used in another process meanwhile, so its row is read again. */
  async function usable(cached: typeof byId, key: string): Promise<CredentialRow | null> {
    const existing = await cached.get(key);
    if (existing !== null && isUsable(existing)) return existing;
    cached.forget(key);
    const row = await cached.get(key);
    return row !== null && isUsable(row) ? row : null;
  }

  async function findLive(row: CredentialRow | null): Promise<Found | null> {
    // Callers apply the row's ceiling to the account, as they do for credentials read from the database.
    const account = row && (await live.account(row.user_id, NO_CEILING));
    return row && account ? { row, account } : null;
  }

  return {
    async bySecret(secret, cookie) {
      const row = await usable(bySecret, hashOf(secret));
      if (row === null || !fitsCookie(row, cookie)) return null;
      await touch(row);
      return findLive(row);
    },
    byCookie: async (cookie) => findLive(await usable(byCookie, hashOf(cookie))),
    byId: (id) => usable(byId, id),
  };
}
