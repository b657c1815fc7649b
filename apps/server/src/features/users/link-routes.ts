import { AppError, inviteUser, isAdmin, lookAtPasswordLink, resetByLink, usePasswordLink } from '@osprey/contract';
import { authorize } from '../../base/access/authorize.ts';
import { isLoopback } from '../../base/config/config.ts';
import { callRoute, type Http, publicCallRoute } from '../../base/http/call-route.ts';
import { windowLimit } from '../../base/http/rate-limit.ts';
import type { Changed } from '../../base/ws/outgoing.ts';
import { checkGiven } from './check-change.ts';
import type { PasswordLinks } from './password-links.ts';
import { groupsOfMaker, type Users } from './repository.ts';
import { accountFacts } from './rows.ts';

const TRIES_PER_MINUTE = 10;
const MINUTE_MS = 60_000;

export type LinkRoutesDeps = Http & {
  users: Users;
  links: PasswordLinks;
  hashPassword: (password: string) => Promise<string>;
  checkPassword: (password: string) => void;
  passwordMin: number;
  changed: Changed;
  nowMs: () => number;
};

/**
 * Routes of invitations and password resets: an admin creates a link and passes it on; the owner of the account sets
 * the password.
 */
export function linkRoutes(deps: LinkRoutesDeps): void {
  makingRoutes(deps);
  ownerRoutes(deps);
}

function makingRoutes(deps: LinkRoutesDeps): void {
  const { users, links, changed } = deps;

  callRoute(deps, inviteUser, async ({ input: { body }, actor, audit }) => {
    const { authorizationRole: role, securityClearance: clearance, usergroups, usergroupsAdmin, ...fields } = body;
    const demo = await users.demoGroup();
    const requested = usergroups.length > 0 ? usergroups : groupsOfMaker(actor);
    checkGiven(actor, { authorizationRole: role, securityClearance: clearance, usergroups: [...requested] }, demo);
    const givesRights = role !== 'user' || clearance !== 'UNCLASSIFIED' || usergroupsAdmin.length > 0;
    // Only admins may set role, clearance and controlled groups.
    if (givesRights && !isAdmin(actor)) throw new AppError('forbidden');
    const made = await users.create(fields, {
      passwordHash: null,
      waiting: false,
      usergroups: requested,
      usergroupsAdmin,
      role,
      clearance,
    });
    const { token, expires } = await links.forNew(made.id, actor.id);
    await audit.write({
      action: 'user.invite',
      subject: made.id,
      usergroups: requested,
      result: `${role}, ${clearance}`,
    });
    changed('users', [made.id]);
    return { userId: made.id, username: made.username, token, expires };
  });

  callRoute(deps, resetByLink, async ({ input: { params }, actor, audit }) => {
    const target = await users.find(params.id);
    if (target === null) throw new AppError('notFound');
    const { token, expires } = await links.reset(params.id, actor.id, (account, demo) =>
      authorize(actor, 'user.resetPassword', accountFacts(account, demo)),
    );
    await audit.write({ action: 'user.resetLink', subject: params.id });
    changed('users', [params.id]);
    return { userId: params.id, username: target.username, token, expires };
  });
}

function ownerRoutes(deps: LinkRoutesDeps): void {
  const { links, changed } = deps;
  const tries = windowLimit({ limit: TRIES_PER_MINUTE, windowMs: MINUTE_MS, nowMs: deps.nowMs });

  publicCallRoute(deps, lookAtPasswordLink, async ({ input: { body }, request }) => {
    tries.take(request.ip);
    const { username, expires } = await links.look(body.token);
    return { username, expires, passwordMin: deps.passwordMin };
  });

  publicCallRoute(deps, usePasswordLink, async ({ input: { body }, request, audit }) => {
    tries.take(request.ip);
    if (request.protocol !== 'https' && !isLoopback(request.ip)) throw new AppError('plainHttp');
    // Checked before computing the hash, which is expensive, and before the link is used up.
    await links.look(body.token);
    deps.checkPassword(body.password);
    const { id, username } = await links.use(body.token, await deps.hashPassword(body.password));
    await audit.write({ action: 'password.setByLink', subject: id });
    changed('users', [id]);
    return { message: `Password of ${username} set.`, username };
  });
}
