import { createHash, randomBytes } from 'node:crypto';

/** Lifetime of a sign-in in progress, long enough to type a password and a code at the provider. */
const FLOW_MS = 10 * 60_000;
const FLOWS_MAX = 10_000;

/**
 * Stores sign-ins in progress under a random cookie. Only the hash of the cookie is kept, in memory, and the number of
 * entries is limited.
 */
export function flowStore<Entry>({ nowMs }: { nowMs: () => number }) {
  const open = new Map<string, { entry: Entry; expires: number }>();
  const keyOf = (cookie: string) => createHash('sha256').update(cookie).digest('base64');

  function put(cookie: string, entry: Entry): void {
    const [oldest] = open.size >= FLOWS_MAX ? open.keys() : [];
    if (oldest !== undefined) open.delete(oldest);
    open.set(keyOf(cookie), { entry, expires: nowMs() + FLOW_MS });
  }

  return {
    /** Stores an entry and returns its cookie. */
    open(entry: Entry): string {
      const cookie = randomBytes(32).toString('base64url');
      put(cookie, entry);
      return cookie;
    },
    /** Replaces the entry of a cookie with the next step of the sign-in. */
    replace: put,
    /** Returns the entry of a cookie and removes it, so that it can be used only once. */
    take(cookie: string | undefined): Entry | null {
      if (cookie === undefined) return null;
      const key = keyOf(cookie);
      const found = open.get(key);
      open.delete(key);
      return found && found.expires > nowMs() ? found.entry : null;
    },
  };
}
