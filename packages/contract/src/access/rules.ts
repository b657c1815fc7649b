import { type Classification, classificationRank } from './classifications.ts';
import type { Role } from './labels.ts';

/**
 * The account that makes a request. A request without sign-in is made by the guest if guests are allowed; otherwise the
 * actor is null.
 */
export type Actor = {
  id: string;
  username: string;
  role: Role;
  /** Highest label that the actor may currently see: the account's clearance, or a lower ceiling of the session. */
  clearance: Classification;
  /** Ceiling of the session, if it has one. It also limits rights that are read again later. */
  ceiling?: Classification;
  /** Groups that the actor is a member of or administers. A group gives no access above its ceiling. */
  groups: readonly { _id: string; ceiling: Classification }[];
  /** Ids of the groups the actor administers (usergroupsAdmin). */
  administered: readonly string[];
};

/** Fields of an item on which rights depend. */
export type AccessFacts = {
  securityClassification: Classification;
  /** Every user except the guest, or the listed groups; with `groups`, an empty list means no account. */
  audience: 'everyone' | 'groups';
  usergroups: readonly string[];
  /** The item is only visible to admins so far, as a mission in state Created. */
  draft: boolean;
};

/**
 * Access facts of an item with an edit lock (`restricted` in requests and answers), which does not affect read access.
 */
export type LockableFacts = AccessFacts & {
  locked: boolean;
  /** Id of the account that created the item, if a rule depends on it. */
  authorId?: string | null;
};
export type DocumentFacts = LockableFacts;

/** Access facts of a mark: those of its mission, and the account that created it; null if that account was deleted. */
export type MadeFacts = AccessFacts & { authorId: string | null };

/** Access facts of a case: its owner (`authorId`), and the other accounts that may edit it. */
export type CaseFacts = MadeFacts & { editors: readonly string[] };

/**
 * Result of a decision. `notFound`: the actor must not learn that the item exists; `forbidden`: the actor may see the
 * item, but not perform the action.
 */
export type Verdict = { allowed: true } | { allowed: false; code: 'notFound' | 'forbidden' | 'notSignedIn' };

const yes: Verdict = { allowed: true };
const forbidden: Verdict = { allowed: false, code: 'forbidden' };
export const hidden: Verdict = { allowed: false, code: 'notFound' };
export const stranger: Verdict = { allowed: false, code: 'notSignedIn' };

export const decide = (allowed: boolean): Verdict => (allowed ? yes : forbidden);

/** Rule that needs no facts. */
export type PlainRule = (actor: Actor | null) => Verdict;

export const forRoles =
  (...allowed: readonly Role[]): PlainRule =>
  (actor) =>
    actor === null ? stranger : decide(allowed.includes(actor.role));

/** Whether the actor is cleared for the label; no role bypasses this. */
export const isCleared = (actor: Actor, facts: Pick<AccessFacts, 'securityClassification'>): boolean =>
  classificationRank(facts.securityClassification) <= classificationRank(actor.clearance);

export const isAdmin = (actor: Actor): boolean => actor.role === 'superAdmin' || actor.role === 'admin';

/** Returns whether the actor has an administrative role: superAdmin, admin or groupAdmin. */
export const hasAdminRole = (actor: Actor): boolean => isAdmin(actor) || actor.role === 'groupAdmin';

export const isNoGuest = (actor: Actor): boolean => actor.role !== 'guest';

function isInAudience(actor: Actor, { audience, usergroups, securityClassification }: AccessFacts): boolean {
  if (actor.role === 'superAdmin') return true;
  if (audience === 'everyone') return isNoGuest(actor);
  const needed = classificationRank(securityClassification);
  return actor.groups.some(({ _id, ceiling }) => usergroups.includes(_id) && classificationRank(ceiling) >= needed);
}

/** Returns whether the actor administers all groups of an item. */
export function isAdministered(actor: Actor, facts: Pick<AccessFacts, 'usergroups'> & { audience?: string }): boolean {
  const { usergroups, audience = 'groups' } = facts;
  return audience === 'groups' && usergroups.length > 0 && usergroups.every((id) => actor.administered.includes(id));
}

function isReadable(actor: Actor, facts: AccessFacts): boolean {
  const draftShown = !facts.draft || isAdmin(actor) || (actor.role === 'groupAdmin' && isAdministered(actor, facts));
  return isCleared(actor, facts) && isInAudience(actor, facts) && draftShown;
}

/** Allows admins, and groupAdmins who administer all groups of the item. */
export const mayManage = (actor: Actor, facts: AccessFacts): boolean =>
  isAdmin(actor) || (actor.role === 'groupAdmin' && isAdministered(actor, facts));

/**
 * Allows everybody except the guest while the item is not locked; otherwise admins, and groupAdmins of one of its
 * groups.
 */
export const mayEditUnlocked = (actor: Actor, { locked, usergroups }: LockableFacts): boolean =>
  isNoGuest(actor) &&
  (!locked ||
    isAdmin(actor) ||
    (actor.role === 'groupAdmin' && usergroups.some((id) => actor.administered.includes(id))));

/** Allows the author, and accounts that may manage the parent item. */
export const mayEditOwn = (actor: Actor, facts: MadeFacts): boolean =>
  isNoGuest(actor) && (facts.authorId === actor.id || mayManage(actor, facts));

type OwnableFacts = AccessFacts & { authorId?: string | null };

/** Allows accounts with an administrative role, the author, and users who share one of the item's user groups. */
export const mayEditTogether = (actor: Actor, facts: OwnableFacts): boolean =>
  isNoGuest(actor) &&
  (hasAdminRole(actor) ||
    facts.authorId === actor.id ||
    (facts.audience === 'groups' && actor.groups.some(({ _id }) => facts.usergroups.includes(_id))));

/** Allows the users of `mayEditTogether`, as far as the item's edit lock permits. */
export const mayEditShared = (actor: Actor, facts: LockableFacts): boolean =>
  mayEditUnlocked(actor, facts) && mayEditTogether(actor, facts);

/** Allows the owner, and admins. */
export const mayOwn = (actor: Actor, { authorId }: MadeFacts): boolean =>
  isNoGuest(actor) && (isAdmin(actor) || authorId === actor.id);

/** Allows the users of `mayOwn`, and the editors appointed by the owner. */
export const mayEditCase = (actor: Actor, facts: CaseFacts): boolean =>
  mayOwn(actor, facts) || (isNoGuest(actor) && facts.editors.includes(actor.id));

/** Returns a rule over an existing item. An item that cannot be read is hidden, so no action on it is possible. */
export const acting =
  <Facts extends AccessFacts>(allowed: (actor: Actor, facts: Facts) => boolean) =>
  (actor: Actor, facts: Facts): Verdict =>
    isReadable(actor, facts) ? decide(allowed(actor, facts)) : hidden;

/** The rule `read` of every item. On the server, `visibleTo` expresses the same in SQL. */
export const reading = acting(() => true);

/**
 * Returns a rule over an existing item that its author may read regardless of its audience, if cleared for its label.
 */
export const actingOwn =
  <Facts extends OwnableFacts>(allowed: (actor: Actor, facts: Facts) => boolean) =>
  (actor: Actor, facts: Facts): Verdict => {
    const isOwn = isNoGuest(actor) && facts.authorId === actor.id && isCleared(actor, facts);
    return isOwn || isReadable(actor, facts) ? decide(allowed(actor, facts)) : hidden;
  };

/**
 * Returns a rule over a new item. Its label must not exceed the actor's clearance, since the author could not see it
 * again.
 */
export const making =
  <Facts extends AccessFacts>(allowed: (actor: Actor, facts: Facts) => boolean) =>
  (actor: Actor, requested: Facts): Verdict =>
    decide(isCleared(actor, requested) && allowed(actor, requested));
