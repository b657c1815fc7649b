import {
  AppError,
  createUsergroup,
  deleteUsergroups,
  getReaders,
  isAdmin,
  listUsergroups,
  onlyAudience,
  updateUsergroup,
} from '@osprey/contract';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { Changed } from '../../base/ws/outgoing.ts';
import { type ReadersDeps, readersOf } from './readers.ts';
import type { Usergroups } from './repository.ts';

export type UsergroupRoutesDeps = Http & ReadersDeps & { usergroups: Usergroups; changed: Changed };

export function usergroupRoutes(deps: UsergroupRoutesDeps): void {
  const { usergroups, changed } = deps;

  callRoute(deps, listUsergroups, async ({ input: { query }, actor }) => {
    const shown = await usergroups.list(actor);
    if (!query?.count) return shown;
    const counts = await usergroups.countUsers();
    // A groupAdmin sees the number of accounts only in groups that they administer.
    const mayKnow = (id: string) => isAdmin(actor) || (actor.role === 'groupAdmin' && actor.administered.includes(id));
    return shown.map((group) => (mayKnow(group._id) ? { ...group, users: counts.get(group._id) ?? 0 } : group));
  });

  callRoute(deps, onlyAudience, ({ input: { query }, actor }) => usergroups.onlyAudience(actor, query.usergroups));

  callRoute(deps, getReaders, ({ input: { body }, actor }) => readersOf(deps, actor, body));

  callRoute(deps, createUsergroup, async ({ input: { body }, audit }) => {
    const created = await usergroups.create(body);
    await audit.write({ action: 'usergroup.create', subject: created._id });
    changed('usergroups', [created._id]);
    return created;
  });

  callRoute(deps, updateUsergroup, async ({ input: { params, query }, audit }) => {
    const updated = await usergroups.update(params.id, query);
    await audit.write({ action: 'usergroup.update', itemId: params.id, itemLabel: updated.securityClassification });
    changed('usergroups', [params.id]);
    return updated;
  });

  callRoute(deps, deleteUsergroups, async ({ input: { query }, audit }) => {
    if (query.usergroups.length === 0) throw new AppError('invalid', { 'query.usergroups': 'Names are missing' });
    const ids = await usergroups.remove(query.usergroups, query.confirm === true);
    for (const subject of ids) await audit.write({ action: 'usergroup.delete', subject });
    changed('usergroups', ids);
    return { message: ids.length === 1 ? 'Usergroup deleted.' : `${ids.length} usergroups deleted.` };
  });
}
