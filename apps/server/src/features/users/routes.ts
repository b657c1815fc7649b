import {
  type Actor,
  AppError,
  changeUsers,
  createUser,
  deleteUsers,
  getUser,
  listUsers,
  resetPassword,
  type UserChange,
  updateUser,
  updateUserByPost,
  userExists,
} from '@osprey/contract';
import { authorize } from '../../base/access/authorize.ts';
import { type CallContext, callRoute, type Http, publicCallRoute } from '../../base/http/call-route.ts';
import { windowLimit } from '../../base/http/rate-limit.ts';
import type { Changed } from '../../base/ws/outgoing.ts';
import { checkChange } from './check-change.ts';
import type { UserListing } from './list.ts';
import { groupsOfMaker, type Users } from './repository.ts';
import { type Account, accountFacts } from './rows.ts';

const EXISTS_PER_MINUTE = 10;
const REGISTRATIONS_PER_MINUTE = 10;
const MINUTE_MS = 60_000;

export type UserRoutesDeps = Http & {
  users: Users;
  listing: UserListing;
  hashPassword: (password: string) => Promise<string>;
  checkPassword: (password: string) => void;
  registration: 'off' | 'approval' | 'open';
  /** Number of open pages of an account, and the ids of all accounts with an open page. */
  onlineCount: (userId: string) => number;
  onlineIds: () => readonly string[];
  changed: Changed;
  /** Notifies the open pages of an account of changes to it. */
  notifyAccount: (userId: string, action: string, result: string) => void;
  nowMs: () => number;
};

export function userRoutes(deps: UserRoutesDeps): void {
  registrationRoutes(deps);
  readingRoutes(deps);
  changingRoutes(deps);
}

function registrationRoutes(deps: UserRoutesDeps): void {
  const { users, registration } = deps;
  const looks = windowLimit({ limit: EXISTS_PER_MINUTE, windowMs: MINUTE_MS, nowMs: deps.nowMs });
  const tries = windowLimit({ limit: REGISTRATIONS_PER_MINUTE, windowMs: MINUTE_MS, nowMs: deps.nowMs });

  publicCallRoute(deps, userExists, async ({ input: { params }, request }) => {
    if (registration === 'off') throw new AppError('notFound');
    looks.take(request.ip);
    return { exists: await users.exists(params.username) };
  });

  publicCallRoute(deps, createUser, async ({ input: { body }, actor, request, audit }) => {
    const isStranger = actor === null || actor.role === 'guest';
    if (isStranger && registration === 'off') throw new AppError('notFound');
    if (isStranger) tries.take(request.ip);
    else authorize(actor, 'user.create');
    const { password, ...fields } = body;
    deps.checkPassword(password);
    const made = await users.create(fields, {
      passwordHash: await deps.hashPassword(password),
      waiting: isStranger && registration === 'approval',
      usergroups: groupsOfMaker(actor),
    });
    await audit.write({ action: 'user.create', subject: made.id });
    deps.changed('users', [made.id]);
    const message = made.disabled ? 'Registered. An administrator has to enable the account.' : 'User added.';
    return { _id: made.id, username: made.username, disabled: made.disabled, message };
  });
}

function readingRoutes(deps: UserRoutesDeps): void {
  const { users, listing } = deps;
  const shown = (user: Account) => ({ ...user, onlineCount: deps.onlineCount(user._id) });

  callRoute(deps, listUsers, async ({ input: { query }, actor, reply }) => {
    const requested = { filter: query, onlineIds: deps.onlineIds };
    const [{ rows, next }, count] = await Promise.all([
      listing.page(actor, requested),
      query.count ? listing.count(actor, requested) : null,
    ]);
    if (next !== null) reply.header('x-next-after', next);
    if (count !== null) reply.header('x-total-count', String(count));
    return rows.map(shown);
  });

  callRoute(deps, getUser, async ({ input: { params }, actor }) => {
    const user = await users.find(params.id);
    if (user === null) throw new AppError('notFound');
    authorize(actor, 'user.read', accountFacts(user, await users.demoGroup()));
    return shown(user);
  });
}

function changingRoutes(deps: UserRoutesDeps): void {
  const { users, changed, notifyAccount } = deps;

  const update = async ({ input, actor, audit }: UpdateContext) => {
    const { params, query } = input;
    const target = await users.update(params.id, query, (account, demo) => checkChange(actor, account, query, demo));
    const result = changeText(query);
    await audit.write({
      action: 'user.update',
      subject: params.id,
      usergroups: query.usergroups ?? target.usergroups,
      result,
    });
    notifyAccount(params.id, 'user.update', result);
    changed('users', [params.id]);
    return { message: `User ${target.username} updated.` };
  };
  callRoute(deps, updateUser, update);
  callRoute(deps, updateUserByPost, update);

  callRoute(deps, changeUsers, async ({ input: { body }, actor, audit }) => {
    const { add, remove, disabled } = body;
    const ids = [...new Set(body.users)];
    const moves = add.length + remove.length > 0;
    const targets = await users.updateAll(ids, { add, remove, disabled }, (target, demo) => {
      const usergroups = [...new Set([...target.usergroups, ...add])].filter((id) => !remove.includes(id));
      checkChange(actor, target, { ...(moves && { usergroups }), ...(disabled !== undefined && { disabled }) }, demo);
    });
    const result = [`add=${add.join(' ')}`, `remove=${remove.join(' ')}`, `disabled=${disabled ?? ''}`]
      .filter((part) => !part.endsWith('='))
      .join(', ');
    await Promise.all(ids.map((subject) => audit.write({ action: 'user.update', subject, result })));
    for (const id of ids) notifyAccount(id, 'user.update', result);
    changed('users', ids);
    return { message: ids.length === 1 ? `User ${targets[0]!.username} updated.` : `${ids.length} users updated.` };
  });

  callRoute(deps, resetPassword, async ({ input: { params, body }, actor, audit }) => {
    const allow = (account: Account, demo: string) =>
      authorize(actor, 'user.resetPassword', accountFacts(account, demo));
    const target = await users.find(params.id);
    if (target === null) throw new AppError('notFound');
    // Checked before computing the hash, which is expensive, and again when the password is written.
    allow(target, await users.demoGroup());
    deps.checkPassword(body.password);
    await users.setPassword(params.id, await deps.hashPassword(body.password), allow);
    await audit.write({ action: 'user.resetPassword', subject: params.id });
    changed('users', [params.id]);
    return { message: `Password of ${target.username} changed.` };
  });

  callRoute(deps, deleteUsers, async ({ input: { query }, actor, audit }) => {
    const names = [...new Set(query.users)];
    if (names.length === 0) throw new AppError('invalid', { 'query.users': 'Names are missing' });
    const allow = (target: Account, demo: string) => authorize(actor, 'user.delete', accountFacts(target, demo));
    const demo = await users.demoGroup();
    const found = await users.findByNames(names);
    for (const target of found) allow(target, demo);
    if (found.length < names.length) throw new AppError('notFound');
    const ids = found.map(({ _id }) => _id);
    await users.remove(ids, allow);
    for (const subject of ids) await audit.write({ action: 'user.delete', subject });
    changed('users', ids);
    return { message: found.length === 1 ? 'User deleted.' : `${found.length} users deleted.` };
  });
}

type UpdateContext = CallContext<{ params: { id: string }; query: UserChange }, Actor>;

/**
 * Describes a change for the audit: the names of the changed fields and the new values of rights. Personal data are
 * left out.
 */
function changeText(change: UserChange): string {
  const rights = ['authorizationRole', 'securityClearance', 'disabled'] as const;
  return Object.keys(change)
    .map((field) => {
      const right = rights.find((one) => one === field);
      return right === undefined ? field : `${field}=${change[right]}`;
    })
    .join(', ');
}
