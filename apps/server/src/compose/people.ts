import type { Http } from '../base/http/call-route.ts';
import type { Hub } from '../base/ws/hub.ts';
import type { Usergroups } from '../features/usergroups/repository.ts';
import { usergroupRoutes } from '../features/usergroups/routes.ts';
import { linkRoutes } from '../features/users/link-routes.ts';
import { userListing } from '../features/users/list.ts';
import { passwordLinks } from '../features/users/password-links.ts';
import type { Users } from '../features/users/repository.ts';
import { userRoutes } from '../features/users/routes.ts';
import type { Dependencies } from './dependencies.ts';
import type { Identity } from './identity.ts';

type Options = {
  http: Http;
  dependencies: Dependencies;
  users: Users;
  usergroups: Usergroups;
  identity: Pick<Identity, 'hashes' | 'checkPassword'>;
  hub: Pick<Hub, 'onlineCount' | 'onlineIds'>;
  guestAllowed: () => Promise<boolean>;
  /** Notifies an account's open pages of a change that was made to the account. */
  notifyAccount: (userId: string, action: string, result: string) => void;
};

/** Serves accounts, invitations and resets, usergroups. */
export function servePeople(options: Options): { sweep: () => Promise<unknown> } {
  const { http, dependencies, users, usergroups, identity, hub, guestAllowed, notifyAccount } = options;
  const { db, config, events, nowUs, nowMs } = dependencies;
  const { changed } = events;
  const { hashes, checkPassword } = identity;
  const { passwordMin, registration } = config;
  const links = passwordLinks({ db, nowUs });
  userRoutes({
    ...http,
    users,
    listing: userListing({ db }),
    hashPassword: hashes.hash,
    checkPassword,
    registration,
    onlineCount: hub.onlineCount,
    onlineIds: hub.onlineIds,
    changed,
    notifyAccount,
    nowMs,
  });
  linkRoutes({ ...http, users, links, hashPassword: hashes.hash, checkPassword, passwordMin, changed, nowMs });
  usergroupRoutes({ ...http, db, usergroups, guestAllowed, changed });
  return { sweep: links.sweep };
}
