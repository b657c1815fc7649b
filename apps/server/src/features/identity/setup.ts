import { timingSafeEqual } from 'node:crypto';
import { type Actor, AppError, type Classification, getSetup, runSetup } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { selectAccounts, toAccount } from '../../base/access/actors.ts';
import { usernameKey } from '../../base/access/username-key.ts';
import type { Database } from '../../base/db/schema.ts';
import { writeSetting } from '../../base/db/settings.ts';
import { type Http, publicCallRoute } from '../../base/http/call-route.ts';
import { windowLimit } from '../../base/http/rate-limit.ts';
import type { Credentials } from './credentials.ts';
import { makeSuperAdmin } from './first-admin.ts';
import { openSession } from './open-session.ts';
import type { PasswordHashes } from './password-hashes.ts';
import type { CheckPassword } from './password-policy.ts';

const TRIES_PER_MINUTE = 5;
const MINUTE_MS = 60_000;

export type SetupDeps = Http & {
  db: Kysely<Database>;
  credentials: Credentials;
  hashes: PasswordHashes;
  checkPassword: CheckPassword;
  passwordMin: number;
  /** One-time code printed on the console; null if the server had been set up before it started. */
  setupCode: string | null;
  /** Value of OSPREY_GUEST; if null, the set-up page asks for it. */
  guestFixed: boolean | null;
  samplesPossible: () => Promise<boolean>;
  /** Creates two missions of the simulator for the first superAdmin. */
  makeSamples: (userId: string) => void;
  /** Called when the first superAdmin exists, so that all other routes are enabled. */
  setUpDone: () => void;
  admit: (actor: Actor, how: { signsIn: boolean }) => boolean;
  listenCeiling: Classification;
  nowMs: () => number;
};

/** Routes of the page that creates the first superAdmin; it requires the one-time code from the console. */
export function setupRoutes(deps: SetupDeps): void {
  const tries = windowLimit({ limit: TRIES_PER_MINUTE, windowMs: MINUTE_MS, nowMs: deps.nowMs });

  publicCallRoute(deps, getSetup, async () => ({
    needed: deps.setUpNeeded(),
    guestFixed: deps.guestFixed !== null,
    samplesPossible: await deps.samplesPossible(),
    passwordMin: deps.passwordMin,
  }));

  publicCallRoute(deps, runSetup, async ({ input: { body }, request, reply }) => {
    if (!deps.setUpNeeded()) throw new AppError('alreadySetUp');
    // Attempts are counted for all addresses together: there is only one code, and its legitimate reader needs only one
    // attempt.
    tries.take('setup');
    if (!isCode(body.code, deps.setupCode)) throw new AppError('wrongSetupCode');
    deps.checkPassword(body.password);
    const password_hash = await deps.hashes.hash(body.password);
    const userId = await deps.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('setup', 0))`.execute(tx);
      const existing = await tx.selectFrom('users').select('id').where('role', '=', 'superAdmin').executeTakeFirst();
      if (existing) throw new AppError('alreadySetUp');
      const admin = { username: body.username, username_key: usernameKey(body.username), password_hash };
      return makeSuperAdmin(tx, { ...admin, registered: deps.nowUs() }).catch((error: unknown) => {
        throw refusalOf(error, body.username);
      });
    });
    await writeSetting(deps.db, 'guest', deps.guestFixed ?? body.guests);
    deps.setUpDone();
    if (body.samples) deps.makeSamples(userId);
    const row = await selectAccounts(deps.db).where('users.id', '=', userId).executeTakeFirstOrThrow();
    return openSession(deps, { account: toAccount(row), request, reply });
  });
}

/** Maps the error to `userNameTaken` if the name exists: the guest account exists before any other and has a name. */
function refusalOf(error: unknown, name: string): unknown {
  const { constraint } = error as { constraint?: string };
  return constraint === 'users_username_key' ? new AppError('userNameTaken', { name }, error) : error;
}

function isCode(given: string, expected: string | null): boolean {
  if (expected === null) return false;
  const [left, right] = [Buffer.from(given.trim().toUpperCase()), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
