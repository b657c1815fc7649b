import type { Kysely } from 'kysely';
import { type Account, selectAccounts, toAccount } from '../../base/access/actors.ts';
import { usernameKey } from '../../base/access/username-key.ts';
import type { Database } from '../../base/db/schema.ts';
import { failureLimit } from '../../base/http/rate-limit.ts';
import type { PasswordHashes } from './password-hashes.ts';

/**
 * Number of wrong passwords for one account from one address without a delay; each further failure doubles the waiting
 * time.
 */
const FREE_FAILURES = 5;
const WINDOW_MS = 15 * 60_000;
const FIRST_WAIT_MS = 30_000;

export type LoginAttempt = { username: string; password: string; address: string };

/** Reason why a login is refused, only for the audit log: the response to a client must not depend on it. */
type LoginRefusal = { why: 'wrongPassword' | 'unknownUser' | 'disabled'; userId: string | null };

type CheckedLogin = { account: Account; refusal: null } | { account: null; refusal: LoginRefusal };

/** Returns the account if name and password are right, or else the reason for the refusal. */
export type CheckLogin = (attempt: LoginAttempt) => Promise<CheckedLogin>;

/** Checks a login, subject to the limit of failed attempts. @throws AppError tooManyRequests, unavailable */
export function loginCheck(deps: { db: Kysely<Database>; hashes: PasswordHashes; nowMs: () => number }): CheckLogin {
  const failures = failureLimit({ free: FREE_FAILURES, windowMs: WINDOW_MS, waitMs: FIRST_WAIT_MS, nowMs: deps.nowMs });
  return async ({ username, password, address }) => {
    const name = usernameKey(username);
    const key = `${address} ${name}`;
    failures.check(key);
    const row = await selectAccounts(deps.db).where('users.username_key', '=', name).executeTakeFirst();
    const right = await deps.hashes.verify(row?.password_hash ?? null, password);
    // Check the limit again: parallel attempts may have used up the free failures meanwhile. Their responses reveal no
    // more than one attempt would.
    failures.check(key);
    if (right && row && !row.disabled) {
      failures.succeeded(key);
      return { account: toAccount(row), refusal: null };
    }
    failures.failed(key);
    const userId = row?.id ?? null;
    if (userId === null) return { account: null, refusal: { why: 'unknownUser', userId } };
    return { account: null, refusal: { why: right ? 'disabled' : 'wrongPassword', userId } };
  };
}
