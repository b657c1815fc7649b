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
  /** Not yet shown to anyone but admins: a mission in state Created. */
  draft: boolean;
};

/** The same of an item with an edit lock (`restricted` on the wire), which says nothing of who may read. */
export type LockableFacts = AccessFacts & {
  locked: boolean;
  /** Id of the account that made it, where a rule goes by it. */
  authorId?: string | null;
};
export type DocumentFacts = LockableFacts;

/** The same for a mark of a mission: the facts of the mission, and who made it; null where that account is gone. */
export type MadeFacts = AccessFacts & { authorId: string | null };

/** The same for a case: who owns it, and who else may edit it. */
export type CaseFacts = MadeFacts & { editors: readonly string[] };

/** `notFound` where the actor may not even know that it exists; `forbidden` where they may see it. */
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

/** No role skips this. */
export const isCleared = (actor: Actor, facts: Pick<AccessFacts, 'securityClassification'>): boolean =>
  classificationRank(facts.securityClassification) <= classificationRank(actor.clearance);

export const isAdmin = (actor: Actor): boolean => actor.role === 'superAdmin' || actor.role === 'admin';

/** superAdmin, admin and groupAdmin: who gets the admin menu at all. */
export const hasAdminRole = (actor: Actor): boolean => isAdmin(actor) || actor.role === 'groupAdmin';

export const isNoGuest = (actor: Actor): boolean => actor.role !== 'guest';

function isInAudience(actor: Actor, { audience, usergroups, securityClassification }: AccessFacts): boolean {
  if (actor.role === 'superAdmin') return true;
  if (audience === 'everyone') return isNoGuest(actor);
  const needed = classificationRank(securityClassification);
  return actor.groups.some(({ _id, ceiling }) => usergroups.includes(_id) && classificationRank(ceiling) >= needed);
}

/** Wholly inside the groups that the actor administers. */
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

/** Anybody but the guest while it is not locked; else admins, and groupAdmins who administer one of its groups. */
export const mayEditUnlocked = (actor: Actor, { locked, usergroups }: LockableFacts): boolean =>
  isNoGuest(actor) &&
  (!locked ||
    isAdmin(actor) ||
    (actor.role === 'groupAdmin' && usergroups.some((id) => actor.administered.includes(id))));

/** The author, and accounts that may manage the parent item. */
export const mayEditOwn = (actor: Actor, facts: MadeFacts): boolean =>
  isNoGuest(actor) && (facts.authorId === actor.id || mayManage(actor, facts));

type OwnableFacts = AccessFacts & { authorId?: string | null };

/** Accounts with an admin role, the author, and who shares one of its usergroups. */
export const mayEditTogether = (actor: Actor, facts: OwnableFacts): boolean =>
  isNoGuest(actor) &&
  (hasAdminRole(actor) ||
    facts.authorId === actor.id ||
    (facts.audience === 'groups' && actor.groups.some(({ _id }) => facts.usergroups.includes(_id))));

/** The same while it is not locked. */
export const mayEditShared = (actor: Actor, facts: LockableFacts): boolean =>
  mayEditUnlocked(actor, facts) && mayEditTogether(actor, facts);

/** Allows the owner, and admins. */
export const mayOwn = (actor: Actor, { authorId }: MadeFacts): boolean =>
  isNoGuest(actor) && (isAdmin(actor) || authorId === actor.id);

/** Allows the same users, and the editors that the owner named. */
export const mayEditCase = (actor: Actor, facts: CaseFacts): boolean =>
  mayOwn(actor, facts) || (isNoGuest(actor) && facts.editors.includes(actor.id));

/** Rule over an item that exists. An item that cannot be read cannot be acted on. */
export const acting =
  <Facts extends AccessFacts>(allowed: (actor: Actor, facts: Facts) => boolean) =>
  (actor: Actor, facts: Facts): Verdict =>
    isReadable(actor, facts) ? decide(allowed(actor, facts)) : hidden;

/** Every item has it. On the server, `visibleTo` says the same in SQL. */
export const reading = acting(() => true);

/** The same for an item that who made it reads whatever its audience is, as far as they are cleared for it. */
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
