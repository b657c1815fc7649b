import { createHash, randomBytes } from 'node:crypto';

/** Long enough for a person who types a password and a code at the provider. */
const FLOW_MS = 10 * 60_000;
const FLOWS_MAX = 10_000;

/** Sign-ins in progress, by a random cookie: only its hash is stored, in memory, for a limited number. */
export function flowStore<Entry>({ nowMs }: { nowMs: () => number }) {
  const open = new Map<string, { entry: Entry; expires: number }>();
  const keyOf = (cookie: string) => createHash('sha256').update(cookie).digest('base64');

  function put(cookie: string, entry: Entry): void {
    const [oldest] = open.size >= FLOWS_MAX ? open.keys() : [];
    if (oldest !== undefined) open.delete(oldest);
    open.set(keyOf(cookie), { entry, expires: nowMs() + FLOW_MS });
  }

  return {
    /** Returns the cookie. */
    open(entry: Entry): string {
      const cookie = randomBytes(32).toString('base64url');
      put(cookie, entry);
      return cookie;
    },
    /** The next step of the same browser. */
    replace: put,
    /** Once: it is gone afterwards. */
    take(cookie: string | undefined): Entry | null {
      if (cookie === undefined) return null;
      const key = keyOf(cookie);
      const found = open.get(key);
      open.delete(key);
      return found && found.expires > nowMs() ? found.entry : null;
    },
  };
}
