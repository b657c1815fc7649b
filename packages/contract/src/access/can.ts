import { type Classification, classificationRank } from './classifications.ts';
import { type Role, roleNumber } from './labels.ts';

/** Who is asking. Nobody signed in is the guest where guests are allowed, else a stranger (null). */
export type Actor = {
  id: string;
  username: string;
  role: Role;
  clearance: Classification;
  /** Groups the actor is in or administers. A group shows nothing above its ceiling. */
  groups: readonly { _id: string; ceiling: Classification }[];
  /** Ids of the groups the actor administers (usergroupsAdmin). */
  administered: readonly string[];
};

/** The few fields of an item that rights depend on. */
export type AccessFacts = {
  securityClassification: Classification;
  /** Every user but the guest, or the listed groups; with `groups`, an empty list is nobody. */
  audience: 'everyone' | 'groups';
  usergroups: readonly string[];
  /** Not yet shown to anyone but admins: a mission in state Created. */
  draft: boolean;
};

/** The same of a document. `locked` is the edit lock, `restricted` on the wire: it says nothing of who may read. */
export type DocumentFacts = AccessFacts & { locked: boolean };

/** The few fields of an account that rights over it depend on. */
export type AccountFacts = { id: string; username: string; role: Role; usergroups: readonly string[] };

/** `notFound` where the actor may not even know that it exists; `forbidden` where they may see it. */
export type Verdict = { allowed: true } | { allowed: false; code: 'notFound' | 'forbidden' | 'notSignedIn' };

const yes: Verdict = { allowed: true };
const hidden: Verdict = { allowed: false, code: 'notFound' };
const forbidden: Verdict = { allowed: false, code: 'forbidden' };
const stranger: Verdict = { allowed: false, code: 'notSignedIn' };

/** No role skips this. */
export const isCleared = (actor: Actor, facts: Pick<AccessFacts, 'securityClassification'>): boolean =>
  classificationRank(facts.securityClassification) <= classificationRank(actor.clearance);

export const isAdmin = (actor: Actor): boolean => actor.role === 'superAdmin' || actor.role === 'admin';

/** superAdmin, admin and groupAdmin: who gets the admin menu at all. */
export const hasAdminRole = (actor: Actor): boolean => isAdmin(actor) || actor.role === 'groupAdmin';

function isInAudience(actor: Actor, { audience, usergroups, securityClassification }: AccessFacts): boolean {
  if (actor.role === 'superAdmin') return true;
  if (audience === 'everyone') return actor.role !== 'guest';
  const needed = classificationRank(securityClassification);
  return actor.groups.some(({ _id, ceiling }) => usergroups.includes(_id) && classificationRank(ceiling) >= needed);
}

/** Wholly inside the groups that the actor administers. */
function isAdministered(actor: Actor, facts: Pick<AccessFacts, 'usergroups'> & { audience?: string }): boolean {
  const { usergroups, audience = 'groups' } = facts;
  return audience === 'groups' && usergroups.length > 0 && usergroups.every((id) => actor.administered.includes(id));
}

function mayRead(actor: Actor, row: AccessFacts): boolean {
  const draftShown = !row.draft || isAdmin(actor) || (actor.role === 'groupAdmin' && isAdministered(actor, row));
  return isCleared(actor, row) && isInAudience(actor, row) && draftShown;
}

/** Admins; groupAdmins for what lies wholly inside their groups. */
const mayManage = (actor: Actor, row: AccessFacts): boolean =>
  isAdmin(actor) || (actor.role === 'groupAdmin' && isAdministered(actor, row));

/** Anybody but the guest while it is not locked; else admins, and groupAdmins who administer one of its groups. */
const mayEditDocument = (actor: Actor, { locked, usergroups }: DocumentFacts): boolean =>
  actor.role !== 'guest' &&
  (!locked ||
    isAdmin(actor) ||
    (actor.role === 'groupAdmin' && usergroups.some((id) => actor.administered.includes(id))));

type DocumentRule = (actor: Actor, facts: DocumentFacts) => Verdict;
type ItemRule = (actor: Actor, facts: AccessFacts) => Verdict;
type AccountRule = (actor: Actor, facts: AccountFacts) => Verdict;
type PlainRule = (actor: Actor | null) => Verdict;

const decide = (allowed: boolean): Verdict => (allowed ? yes : forbidden);

/** Nobody can act on what they cannot read. */
const acting =
  <Facts extends AccessFacts>(allowed: (actor: Actor, facts: Facts) => boolean) =>
  (actor: Actor, row: Facts): Verdict =>
    mayRead(actor, row) ? decide(allowed(actor, row)) : hidden;

/** Rules over one item. `visibleTo` on the server says `mission.read` in SQL. */
const itemRules = {
  'mission.read': acting(() => true),
  'mission.share': acting(() => true),
  // Not above one's own clearance: the author could not see it again.
  'mission.create': (actor, wanted) => decide(isCleared(actor, wanted) && mayManage(actor, wanted)),
  'mission.upload': acting(mayManage),
  'mission.update': acting(mayManage),
  'mission.delete': acting(mayManage),
  'mission.export': acting(mayManage),
  'mission.hold': acting(isAdmin),
  // Lower a label, or widen an audience; the reason is checked beside this.
  'mission.lower': acting(isAdmin),
  'platform.read': acting(() => true),
  // Live pictures and telemetry; which modes, the usergroups say.
  'platform.watch': acting(() => true),
  // Start, stop, record.
  'platform.control': acting(mayManage),
  'platform.lower': acting(isAdmin),
} satisfies Record<string, ItemRule>;

/** Rules over one document. `documentVisibleTo` on the server says `document.read` in SQL. */
const documentRules = {
  'document.read': acting(() => true),
  'document.download': acting((actor) => actor.role !== 'guest'),
  'document.create': (actor, wanted) => decide(isCleared(actor, wanted) && actor.role !== 'guest'),
  'document.update': acting(mayEditDocument),
  'document.delete': acting(mayEditDocument),
  // Set or clear the edit lock.
  'document.lock': acting(mayManage),
  'document.lower': acting(isAdmin),
} satisfies Record<string, DocumentRule>;

/** Nobody outranks their equals: only lower roles, and the superAdmin over all below. */
const outranks = (actor: Actor, target: AccountFacts): boolean => roleNumber(actor.role) < roleNumber(target.role);

/** Rows of users that no call may change: the guest, and any superAdmin. */
const isProtected = (target: AccountFacts): boolean => target.role === 'guest' || target.role === 'superAdmin';

const mayManageAccount = (actor: Actor, target: AccountFacts): boolean =>
  !isProtected(target) &&
  actor.id !== target.id &&
  outranks(actor, target) &&
  (isAdmin(actor) || (actor.role === 'groupAdmin' && isAdministered(actor, target)));

/** A groupAdmin does not learn of accounts outside the groups they administer. */
const overAccount =
  (allowed: (actor: Actor, target: AccountFacts) => boolean): AccountRule =>
  (actor, target) => {
    if (actor.role === 'groupAdmin' && !isAdministered(actor, target) && actor.id !== target.id) return hidden;
    return decide(allowed(actor, target));
  };

const accountRules = {
  'user.update': overAccount(mayManageAccount),
  // Role, clearance and administered groups: never one's own, never by a groupAdmin.
  'user.setRights': overAccount((actor, target) => isAdmin(actor) && mayManageAccount(actor, target)),
  'user.delete': overAccount((actor, target) => isAdmin(actor) && mayManageAccount(actor, target)),
  'user.resetPassword': overAccount((actor, target) => isAdmin(actor) && mayManageAccount(actor, target)),
  // The guest is not changed by it: whoever sits there gets a new session.
  'user.endSession': overAccount((actor, target) => isAdmin(actor) && outranks(actor, target)),
  'user.read': overAccount(hasAdminRole),
} satisfies Record<string, AccountRule>;

const forRoles =
  (...allowed: readonly Role[]): PlainRule =>
  (actor) => {
    if (actor === null) return stranger;
    return decide(allowed.includes(actor.role));
  };

/** Rules that need no row. */
const plainRules = {
  /** Answered without any credential: health, set-up, login, the short form of info. */
  'public.use': () => yes,
  'session.use': forRoles('superAdmin', 'admin', 'groupAdmin', 'user', 'guest'),
  /** Own password, own credentials, own jobs. */
  'account.own': forRoles('superAdmin', 'admin', 'groupAdmin', 'user'),
  'info.details': forRoles('superAdmin', 'admin'),
  'system.read': forRoles('superAdmin', 'admin', 'groupAdmin'),
  'health.details': forRoles('superAdmin', 'admin'),
  'metrics.read': forRoles('superAdmin', 'admin'),
  'server.restart': forRoles('superAdmin', 'admin'),
  'server.update': forRoles('superAdmin'),
  'mission.list': forRoles('superAdmin', 'admin', 'groupAdmin', 'user', 'guest'),
  /** Whether the button shows at all; the item's own facts are asked again with `mission.create`. */
  'mission.createAny': forRoles('superAdmin', 'admin', 'groupAdmin'),
  'document.list': forRoles('superAdmin', 'admin', 'groupAdmin', 'user', 'guest'),
  /** Whether there is a button to add one; the wanted facts are asked with `document.create`. */
  'document.createAny': forRoles('superAdmin', 'admin', 'groupAdmin', 'user'),
  'document.bin': forRoles('superAdmin', 'admin'),
  'sample.remove': forRoles('superAdmin', 'admin'),
  'bin.list': forRoles('superAdmin', 'admin'),
  'bin.empty': forRoles('superAdmin'),
  'retention.manage': forRoles('superAdmin', 'admin'),
  'intake.manage': forRoles('superAdmin', 'admin'),
  'user.list': forRoles('superAdmin', 'admin', 'groupAdmin'),
  'user.create': forRoles('superAdmin', 'admin', 'groupAdmin'),
  'usergroup.list': forRoles('superAdmin', 'admin', 'groupAdmin', 'user', 'guest'),
  'usergroup.manage': forRoles('superAdmin', 'admin'),
  'activity.read': forRoles('superAdmin', 'admin', 'groupAdmin'),
  'onlineUsers.count': forRoles('superAdmin', 'admin', 'groupAdmin'),
  /** Search, export and verify; rows above the caller's clearance stay hidden where it is below system-high. */
  'audit.read': forRoles('superAdmin', 'admin'),
  'license.manage': forRoles('superAdmin', 'admin'),
  'backup.list': forRoles('superAdmin', 'admin'),
  'backup.create': forRoles('superAdmin', 'admin'),
  /** And to see the key; the server asks for the highest clearance of the installation beside it. */
  'backup.delete': forRoles('superAdmin'),
  'platform.list': forRoles('superAdmin', 'admin', 'groupAdmin', 'user', 'guest'),
  /** Whether the control page and its buttons show at all; each platform is asked again with `platform.control`. */
  'platform.controlAny': forRoles('superAdmin', 'admin', 'groupAdmin'),
  /** platforms.yml down and up; label and audience of each platform are asked again. */
  'platformConfig.manage': forRoles('superAdmin', 'admin'),
  'lookup.read': forRoles('superAdmin', 'admin', 'groupAdmin', 'user', 'guest'),
} satisfies Record<string, PlainRule>;

export type ItemAction = keyof typeof itemRules;
export type DocumentAction = keyof typeof documentRules;
export type AccountAction = keyof typeof accountRules;
export type PlainAction = keyof typeof plainRules;
export type Action = ItemAction | DocumentAction | AccountAction | PlainAction;

export const actions: readonly Action[] = [
  ...(Object.keys(itemRules) as ItemAction[]),
  ...(Object.keys(documentRules) as DocumentAction[]),
  ...(Object.keys(accountRules) as AccountAction[]),
  ...(Object.keys(plainRules) as PlainAction[]),
];

/** The one decision of the product: pure, so that the server and the web ask the same one. */
export function can(actor: Actor | null, action: ItemAction, facts: AccessFacts): Verdict;
export function can(actor: Actor | null, action: DocumentAction, facts: DocumentFacts): Verdict;
export function can(actor: Actor | null, action: AccountAction, facts: AccountFacts): Verdict;
export function can(actor: Actor | null, action: PlainAction): Verdict;
export function can(actor: Actor | null, action: Action, facts?: AccessFacts | DocumentFacts | AccountFacts): Verdict {
  if (action in plainRules) return plainRules[action as PlainAction](actor);
  if (actor === null) return stranger;
  if (action in accountRules) return accountRules[action as AccountAction](actor, facts as AccountFacts);
  if (action in documentRules) return documentRules[action as DocumentAction](actor, facts as DocumentFacts);
  return itemRules[action as ItemAction](actor, facts as AccessFacts);
}
