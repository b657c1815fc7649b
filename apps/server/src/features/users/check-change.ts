import { type Actor, AppError, classificationRank, roleNumber, type UserChange } from '@osprey/contract';
import { authorize } from '../../base/access/authorize.ts';
import { type Account, accountFacts } from './rows.ts';

const rightsFields = ['authorizationRole', 'securityClearance', 'usergroupsAdmin', 'disabled'] as const;

/** Checks that the actor may change an account. @throws AppError notFound, forbidden */
export function checkChange(actor: Actor, target: Account, change: UserChange, demo: string): void {
  const facts = accountFacts(target, demo);
  authorize(actor, 'user.update', facts);
  if (rightsFields.some((field) => change[field] !== undefined)) authorize(actor, 'user.setRights', facts);
  checkGiven(actor, change, demo);
}

/**
 * Checks that an actor grants only rights that they have: a role below their own, a clearance up to their own, and for
 * a groupAdmin only groups that they administer; the account must keep at least one of those.
 *
 * @throws AppError forbidden
 */
export function checkGiven(actor: Actor, change: UserChange, demo: string): void {
  const { authorizationRole: role, securityClearance: clearance, usergroups } = change;
  if (role && (role === 'guest' || roleNumber(role) <= roleNumber(actor.role))) throw new AppError('forbidden');
  if (clearance && classificationRank(clearance) > classificationRank(actor.clearance)) throw new AppError('forbidden');
  const leavesOwn = usergroups?.some((id) => id !== demo && !actor.administered.includes(id));
  const keepsNone = usergroups?.every((id) => id === demo);
  if (actor.role === 'groupAdmin' && (leavesOwn || keepsNone)) throw new AppError('forbidden');
}
