import { type Classification, classificationRank } from './classifications.ts';
import type { Role } from './labels.ts';

/** The account that asks. A request without sign-in is the guest if guests are allowed, else a stranger (null). */
export type Actor = {
  id: string;
  username: string;
  role: Role;
  /** The highest label that the actor may see now: of the account, or lower where the session has a ceiling. */
  clearance: Classification;
  /** Ceiling of the session, if it has one: rights that are read again stay below it. */
  ceiling?: Classification;
  /** Groups the actor is in or administers. A group shows nothing above its ceiling. */
  groups: readonly { _id: string; ceiling: Classification }[];
  /** Ids of the groups the actor administers (usergroupsAdmin). */
  administered: readonly string[];
};

/** The few fields of an item that rights depend on. */
export type AccessFacts = {
  securityClassification: Classification;
  /** Every user but the guest, or the listed groups; with `groups`, an empty list means no account. */
  audience: 'everyone' | 'groups';
  usergroups: readonly string[];
  /** Shown only to admins so far: a mission in state Created. */
  draft: boolean;
};

/** Access facts of an item with an edit lock (`restricted` on the wire), which does not affect who may read. */
export type LockableFacts = AccessFacts & {
  locked: boolean;
  /** Id of the account that made the item, where a rule depends on it. */
  authorId?: string | null;
};
export type DocumentFacts = LockableFacts;

/** Access facts of a mark: those of its mission, and the account that made it; null where that account is gone. */
export type MadeFacts = AccessFacts & { authorId: string | null };

/** Access facts of a case: its owner (`authorId`), and the other accounts that may edit it. */
export type CaseFacts = MadeFacts & { editors: readonly string[] };

/** `notFound` where the actor may not even know that the item exists; `forbidden` where they may see it. */
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

/** Whether the actor gets the admin menu: superAdmin, admin and groupAdmin. */
export const hasAdminRole = (actor: Actor): boolean => isAdmin(actor) || actor.role === 'groupAdmin';

export const isNoGuest = (actor: Actor): boolean => actor.role !== 'guest';

function isInAudience(actor: Actor, { audience, usergroups, securityClassification }: AccessFacts): boolean {
  if (actor.role === 'superAdmin') return true;
  if (audience === 'everyone') return isNoGuest(actor);
  const needed = classificationRank(securityClassification);
  return actor.groups.some(({ _id, ceiling }) => usergroups.includes(_id) && classificationRank(ceiling) >= needed);
}

/** Whether all groups of an item are administered by the actor. */
export function isAdministered(actor: Actor, facts: Pick<AccessFacts, 'usergroups'> & { audience?: string }): boolean {
  const { usergroups, audience = 'groups' } = facts;
  return audience === 'groups' && usergroups.length > 0 && usergroups.every((id) => actor.administered.includes(id));
}

function isReadable(actor: Actor, facts: AccessFacts): boolean {
  const draftShown = !facts.draft || isAdmin(actor) || (actor.role === 'groupAdmin' && isAdministered(actor, facts));
  return isCleared(actor, facts) && isInAudience(actor, facts) && draftShown;
}

/** Admins, and groupAdmins of all groups of the item. */
export const mayManage = (actor: Actor, facts: AccessFacts): boolean =>
  isAdmin(actor) || (actor.role === 'groupAdmin' && isAdministered(actor, facts));

/** Allows everybody but the guest while the item is not locked; else admins, and groupAdmins of one of its groups. */
export const mayEditUnlocked = (actor: Actor, { locked, usergroups }: LockableFacts): boolean =>
  isNoGuest(actor) &&
  (!locked ||
    isAdmin(actor) ||
    (actor.role === 'groupAdmin' && usergroups.some((id) => actor.administered.includes(id))));

/** Allows the author, and accounts that may manage the parent item. */
export const mayEditOwn = (actor: Actor, facts: MadeFacts): boolean =>
  isNoGuest(actor) && (facts.authorId === actor.id || mayManage(actor, facts));

type OwnableFacts = AccessFacts & { authorId?: string | null };

/** Allows accounts with an admin role, the author, and users who share one of the item's usergroups. */
export const mayEditTogether = (actor: Actor, facts: OwnableFacts): boolean =>
  isNoGuest(actor) &&
  (hasAdminRole(actor) ||
    facts.authorId === actor.id ||
    (facts.audience === 'groups' && actor.groups.some(({ _id }) => facts.usergroups.includes(_id))));

/** Allows the users of `mayEditTogether` while the item is not locked. */
export const mayEditShared = (actor: Actor, facts: LockableFacts): boolean =>
  mayEditUnlocked(actor, facts) && mayEditTogether(actor, facts);

/** Allows the owner, and admins. */
export const mayOwn = (actor: Actor, { authorId }: MadeFacts): boolean =>
  isNoGuest(actor) && (isAdmin(actor) || authorId === actor.id);

/** Allows the users of `mayOwn`, and the editors that the owner named. */
export const mayEditCase = (actor: Actor, facts: CaseFacts): boolean =>
  mayOwn(actor, facts) || (isNoGuest(actor) && facts.editors.includes(actor.id));

/** Rule over an item that exists. An item that cannot be read cannot be acted on. */
export const acting =
  <Facts extends AccessFacts>(allowed: (actor: Actor, facts: Facts) => boolean) =>
  (actor: Actor, facts: Facts): Verdict =>
    isReadable(actor, facts) ? decide(allowed(actor, facts)) : hidden;

/** Rule `read` of every item. On the server, `visibleTo` says the same in SQL. */
export const reading = acting(() => true);

/** Rule over an existing item that its maker may read whatever its audience is, if cleared for its label. */
export const actingOwn =
  <Facts extends OwnableFacts>(allowed: (actor: Actor, facts: Facts) => boolean) =>
  (actor: Actor, facts: Facts): Verdict => {
    const isOwn = isNoGuest(actor) && facts.authorId === actor.id && isCleared(actor, facts);
    return isOwn || isReadable(actor, facts) ? decide(allowed(actor, facts)) : hidden;
  };

/** Rule over an item to be made. Not above one's own clearance: the author could not see it again. */
export const making =
  <Facts extends AccessFacts>(allowed: (actor: Actor, facts: Facts) => boolean) =>
  (actor: Actor, requested: Facts): Verdict =>
    decide(isCleared(actor, requested) && allowed(actor, requested));
