import {
  type AccountAction,
  type AccountFacts,
  type Actor,
  can,
  DEMO_GROUP,
  type User,
  type Usergroup,
} from '@osprey/contract';
import { fill, formatCount, formatNumber } from '../base/format.ts';
import { texts } from './texts.ts';

/**
 * Returns the facts about an account on which rights depend. Demo is excluded: since all accounts are in it, it must
 * not decide who manages this one.
 */
export function factsOf(user: User, groups: readonly Usergroup[]): AccountFacts {
  const demo = groups.find(({ name }) => name === DEMO_GROUP)?._id;
  const { _id: id, username, authorizationRole: role } = user;
  return { id, username, role, usergroups: user.usergroups.filter((group) => group !== demo) };
}

export const mayDo = (actor: Actor, action: AccountAction, user: User, groups: readonly Usergroup[]): boolean =>
  can(actor, action, factsOf(user, groups)).allowed;

export const fullName = ({ firstName, lastName }: User): string =>
  [firstName, lastName].filter((part) => part).join(' ');

const NAMES_SHOWN = 5;

/** Lists the names of some accounts for a sentence, shortened if there are many. */
export function namesOf(users: readonly User[]): string {
  const names = users
    .slice(0, NAMES_SHOWN)
    .map(({ username }) => username)
    .join(', ');
  const more = users.length - NAMES_SHOWN;
  return more > 0 ? fill(texts.removal.more, { names, count: formatNumber(more) }) : names;
}

export function onlineText(count: number): string {
  return count === 0 ? texts.offline : formatCount(count, texts.onlineFrom);
}
