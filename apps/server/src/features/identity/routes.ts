import {
  type Actor,
  API_CREDENTIALS_MAX,
  AppError,
  authenticated,
  type Classification,
  changeOwnPassword,
  classificationOf,
  classificationRank,
  createApiCredential,
  createTicket,
  guestSession,
  listCredentials,
  login,
  logout,
  ownGroups,
  revokeCredential,
  type SessionLimit,
  type Usergroup,
} from '@osprey/contract';
import type { Kysely } from 'kysely';
import { ceilingOf, NO_CEILING, selectAccounts, toAccount } from '../../base/access/actors.ts';
import { GUEST_NAME } from '../../base/access/seed.ts';
import type { Database } from '../../base/db/schema.ts';
import { callRoute, type Http, publicCallRoute } from '../../base/http/call-route.ts';
import { windowLimit } from '../../base/http/rate-limit.ts';
import type { CheckLogin } from './check-login.ts';
import type { Credentials } from './credentials.ts';
import { closeCookie, openSession } from './open-session.ts';
import type { PasswordHashes } from './password-hashes.ts';
import type { PasswordLogin } from './password-login.ts';
import type { CheckPassword } from './password-policy.ts';
import type { SecondStep } from './second-step.ts';
import type { Tickets } from './tickets.ts';

const GUESTS_PER_MINUTE = 30;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
const TOO_MANY_CREDENTIALS = `An account has at most ${API_CREDENTIALS_MAX} API credentials. Revoke one first.`;

export type IdentityDeps = Http & {
  db: Kysely<Database>;
  credentials: Credentials;
  tickets: Tickets;
  hashes: PasswordHashes;
  checkLogin: CheckLogin;
  passwordLogin: PasswordLogin;
  step: SecondStep;
  checkPassword: CheckPassword;
  guestAllowed: () => Promise<boolean>;
  /** Returns groups by id, for display. */
  usergroupsById: (ids: readonly string[]) => Promise<Usergroup[]>;
  /** Takes one of the licence's users for a session; `leave` releases it at logout. */
  admit: (actor: Actor, how: { signsIn: boolean }) => boolean;
  listenCeiling: Classification;
  leave: (userId: string) => void;
  nowMs: () => number;
};

/** Routes for login, logout, guests, the caller's own password and credentials, and tickets for sockets. */
export function identityRoutes(deps: IdentityDeps): void {
  sessionRoutes(deps);
  selfRoutes(deps);
  credentialRoutes(deps);
}

function sessionRoutes(deps: IdentityDeps): void {
  const guests = windowLimit({ limit: GUESTS_PER_MINUTE, windowMs: MINUTE_MS, nowMs: deps.nowMs });

  publicCallRoute(deps, login, async ({ input: { body }, request, reply, audit }) => {
    const account = await deps.passwordLogin(body, request, audit);
    const asking = { actor: account.actor, request, audit };
    const { epoch, ...codes } = await deps.step.atLogin(asking, { code: body.code, epoch: account.epoch });
    const { ceiling } = body;
    const session = await openSession(deps, { account: { ...account, epoch }, ceiling, request, reply });
    return { ...session, ...codes };
  });

  publicCallRoute(deps, guestSession, async ({ request, reply }) => {
    guests.take(request.ip);
    if (!(await deps.guestAllowed())) throw new AppError('unauthorized');
    const row = await selectAccounts(deps.db).where('users.username_key', '=', GUEST_NAME).executeTakeFirstOrThrow();
    return openSession(deps, { account: toAccount(row), request, reply });
  });

  callRoute(deps, logout, async ({ actor, session, reply, audit }) => {
    if (session.credentialId) await deps.credentials.revoke(actor.id, session.credentialId);
    closeCookie(reply);
    deps.leave(actor.id);
    await audit.write({ action: 'logout' });
    return { message: 'Logged out.' };
  });

  callRoute(deps, createTicket, async ({ session, request }) => ({
    ticket: deps.tickets.issue(session, request.ip),
  }));
}

function selfRoutes(deps: IdentityDeps): void {
  callRoute(deps, authenticated, async ({ actor }) => ({
    _id: actor.id,
    role: actor.role,
    username: actor.username,
    securityClearance: actor.clearance,
    ...(await limitOf(deps, actor)),
  }));

  callRoute(deps, ownGroups, async ({ actor }) => {
    const groups = await deps.usergroupsById(actor.groups.map(({ _id }) => _id));
    const administered = groups.filter(({ _id }) => actor.administered.includes(_id));
    const joined = await memberships(deps.db, actor.id);
    return { usergroups: groups.filter(({ _id }) => joined.has(_id)), usergroupsAdmin: administered };
  });

  callRoute(deps, changeOwnPassword, async ({ input: { body }, actor, session, request, audit }) => {
    const attempt = { username: actor.username, password: body.oldPassword.trim(), address: request.ip };
    const { account: known } = await deps.checkLogin(attempt);
    if (known === null) throw new AppError('unauthorized');
    deps.checkPassword(body.newPassword);
    const password_hash = await deps.hashes.hash(body.newPassword);
    const changed = await deps.db
      .updateTable('users')
      .set({ password_hash })
      .where('id', '=', actor.id)
      // If an admin has set a new password meanwhile, the holder of the old one must not be able to replace it.
      .where('password_hash', '=', known.passwordHash)
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) throw new AppError('unauthorized');
    await deps.credentials.revokeAll(actor.id, session.credentialId);
    await audit.write({ action: 'password.change', subject: actor.id });
    return { message: 'Password changed.' };
  });
}

/** Returns the limit of the session if it sees less than its account may. */
async function limitOf({ db, listenCeiling }: IdentityDeps, actor: Actor): Promise<{ limit?: SessionLimit }> {
  const ceiling = ceilingOf(actor);
  if (ceiling === NO_CEILING || actor.role === 'guest') return {};
  const own = await db.selectFrom('users').select('clearance').where('id', '=', actor.id).executeTakeFirstOrThrow();
  if (own.clearance <= classificationRank(ceiling)) return {};
  return { limit: { label: ceiling, by: ceiling === listenCeiling ? 'listener' : 'login' } };
}

async function memberships(db: Kysely<Database>, userId: string): Promise<Set<string>> {
  const rows = await db.selectFrom('user_usergroups').select('usergroup_id').where('user_id', '=', userId).execute();
  return new Set(rows.map((row) => row.usergroup_id));
}

function credentialRoutes(deps: IdentityDeps): void {
  callRoute(deps, listCredentials, async ({ actor, session }) => {
    const rows = await deps.credentials.list(actor.id);
    return rows.map((row) => ({
      _id: row.id,
      created: row.created,
      lastUsed: row.last_used,
      expires: row.expires,
      client: row.client,
      address: row.address,
      current: row.id === session.credentialId,
      forScript: row.for_script,
      ...(row.ceiling < classificationRank(NO_CEILING) && { ceiling: classificationOf(row.ceiling) }),
    }));
  });

  callRoute(deps, createApiCredential, async ({ input: { body }, actor, session, request, audit }) => {
    const known = (await deps.credentials.list(actor.id)).filter((row) => row.for_script);
    if (known.length >= API_CREDENTIALS_MAX) throw new AppError('ruleRefused', { reason: TOO_MANY_CREDENTIALS });
    const script = { lifeMs: body.days * DAY_MS };
    const where = { client: body.name, address: request.ip };
    const made = await deps.credentials.make({
      userId: actor.id,
      epoch: session.userEpoch,
      ...where,
      cookie: false,
      // A script's credential may see no more than the session in which it was created.
      ceiling: ceilingOf(actor),
      script,
    });
    await audit.write({ action: 'credential.make', subject: made.id });
    return { _id: made.id, username: actor.username, credential: made.secret };
  });

  callRoute(deps, revokeCredential, async ({ input: { params }, actor, audit }) => {
    if (!(await deps.credentials.revoke(actor.id, params.id))) throw new AppError('notFound');
    await audit.write({ action: 'credential.revoke', subject: params.id });
    return { message: 'Session ended.' };
  });
}
