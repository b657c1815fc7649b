import { type FactsFor, type ItemAction, type ItemTable, items, type PlainItemAction } from '../items.ts';
import { type Role, roleNumber, roles } from './labels.ts';
import {
  type AccessFacts,
  type Actor,
  decide,
  forRoles,
  hasAdminRole,
  hidden,
  isAdmin,
  isAdministered,
  type PlainRule,
  stranger,
  type Verdict,
} from './rules.ts';

/** Fields of an account on which rights over that account depend. */
export type AccountFacts = { id: string; username: string; role: Role; usergroups: readonly string[] };

type AccountRule = (actor: Actor, facts: AccountFacts) => Verdict;

/** Whether the actor's role is higher than that of the other account; superAdmin is the highest. */
const outranks = (actor: Actor, target: AccountFacts): boolean => roleNumber(actor.role) < roleNumber(target.role);

/** Accounts that no call may change: the guest, and any superAdmin. */
const isProtected = (target: AccountFacts): boolean => target.role === 'guest' || target.role === 'superAdmin';

const mayManageAccount = (actor: Actor, target: AccountFacts): boolean =>
  !isProtected(target) &&
  actor.id !== target.id &&
  outranks(actor, target) &&
  (isAdmin(actor) || (actor.role === 'groupAdmin' && isAdministered(actor, target)));

/** Rule over an account. For a groupAdmin, accounts outside of the administered groups are hidden. */
const overAccount =
  (allowed: (actor: Actor, target: AccountFacts) => boolean): AccountRule =>
  (actor, target) => {
    if (actor.role === 'groupAdmin' && !isAdministered(actor, target) && actor.id !== target.id) return hidden;
    return decide(allowed(actor, target));
  };

const accountRules = {
  'user.update': overAccount(mayManageAccount),
  // Covers role, clearance and administered groups. Users cannot set their own, and a groupAdmin cannot set any.
  'user.setRights': overAccount((actor, target) => isAdmin(actor) && mayManageAccount(actor, target)),
  'user.delete': overAccount((actor, target) => isAdmin(actor) && mayManageAccount(actor, target)),
  'user.resetPassword': overAccount((actor, target) => isAdmin(actor) && mayManageAccount(actor, target)),
  // Excludes the guest, whose browser would immediately get a new session.
  'user.endSession': overAccount((actor, target) => isAdmin(actor) && outranks(actor, target)),
  'user.read': overAccount(hasAdminRole),
} satisfies Record<string, AccountRule>;

/** Rules that need no facts and do not concern a kind of item. */
const plainRules = {
  /** Calls that need no credential: health, set-up, login, the short form of info. */
  'public.use': () => decide(true),
  'session.use': forRoles(...roles),
  /** The user's own password, credentials and jobs. */
  'account.own': forRoles('superAdmin', 'admin', 'groupAdmin', 'user'),
  'info.details': forRoles('superAdmin', 'admin'),
  'system.read': forRoles('superAdmin', 'admin', 'groupAdmin'),
  'health.details': forRoles('superAdmin', 'admin'),
  'metrics.read': forRoles('superAdmin', 'admin'),
  'server.restart': forRoles('superAdmin', 'admin'),
  'server.update': forRoles('superAdmin'),
  'sample.remove': forRoles('superAdmin', 'admin'),
  'bin.list': forRoles('superAdmin', 'admin'),
  'bin.empty': forRoles('superAdmin'),
  'retention.manage': forRoles('superAdmin', 'admin'),
  /** Management of the site's own place names, which everybody can search. */
  'places.manage': forRoles('superAdmin', 'admin'),
  'intake.manage': forRoles('superAdmin', 'admin'),
  'tiles.manage': forRoles('superAdmin', 'admin'),
  'user.list': forRoles('superAdmin', 'admin', 'groupAdmin'),
  'user.create': forRoles('superAdmin', 'admin', 'groupAdmin'),
  'usergroup.list': forRoles(...roles),
  'usergroup.manage': forRoles('superAdmin', 'admin'),
  'activity.read': forRoles('superAdmin', 'admin', 'groupAdmin'),
  'onlineUsers.count': forRoles('superAdmin', 'admin', 'groupAdmin'),
  /**
   * Search, export and verification of the audit log. If the caller's clearance is below system-high, rows above it
   * remain hidden.
   */
  'audit.read': forRoles('superAdmin', 'admin'),
  'license.manage': forRoles('superAdmin', 'admin'),
  'backup.list': forRoles('superAdmin', 'admin'),
  'backup.create': forRoles('superAdmin', 'admin'),
  /** Also allows to show the backup key. In addition, the server requires the highest clearance of the installation. */
  'backup.delete': forRoles('superAdmin'),
  /** Download and upload of platforms.yml; label and audience of each platform are checked separately. */
  'platformConfig.manage': forRoles('superAdmin', 'admin'),
  'lookup.read': forRoles(...roles),
  /** Reading of ships. Which ships are shown depends on the sources that the caller may read. */
  'ais.read': forRoles(...roles),
  'ais.export': forRoles('superAdmin', 'admin', 'groupAdmin', 'user'),
  'ais.delete': forRoles('superAdmin', 'admin'),
} satisfies Record<string, PlainRule>;

export type AccountAction = keyof typeof accountRules;
export type PlainAction = keyof typeof plainRules | PlainItemAction;
export type Action = ItemAction | AccountAction | PlainAction;

type FactsRule = (actor: Actor, facts: never) => Verdict;

/** Decisions over the items of one table. */
export type Access = ReturnType<typeof accessOf>;

/** Returns the decisions over the items of a table, over accounts, and over actions that need no row. */
export function accessOf(table: ItemTable) {
  const overFacts = new Map<string, FactsRule>([
    ...Object.entries(table).flatMap(([name, { rules }]) =>
      Object.entries(rules).map(([verb, rule]) => [`${name}.${verb}`, rule] as const),
    ),
    ...Object.entries(accountRules),
  ]);
  const plain = new Map<string, PlainRule>([
    ...Object.entries(table).flatMap(([name, { plain = {} }]) =>
      Object.entries(plain).map(([verb, rule]) => [`${name}.${verb}`, rule] as const),
    ),
    ...Object.entries(plainRules),
  ]);

  return {
    /** All known actions. */
    actions: [...overFacts.keys(), ...plain.keys()],

    /** Whether an action is decided with the facts of an item or an account. @throws Error for an unknown action */
    needsFacts(action: string): boolean {
      if (!overFacts.has(action) && !plain.has(action)) throw new Error(`Unknown action: ${action}`);
      return overFacts.has(action);
    },

    /**
     * Decides whether an actor may perform an action.
     *
     * @throws Error for an unknown action, and for one that needs facts and gets none
     */
    can(actor: Actor | null, action: string, facts?: AccessFacts | AccountFacts): Verdict {
      const plainRule = plain.get(action);
      if (plainRule !== undefined) return plainRule(actor);
      const rule = overFacts.get(action);
      if (rule === undefined) throw new Error(`Unknown action: ${action}`);
      if (actor === null) return stranger;
      if (facts === undefined) throw new Error(`${action} is asked without facts`);
      return rule(actor, facts as never);
    },
  };
}

/** Rules of the product's items. */
export const access = accessOf(items);

export const actions = access.actions as readonly Action[];

/** The single place in which access is decided. It is a pure function, so that the server and the client share it. */
export const can: {
  <Action extends ItemAction>(actor: Actor | null, action: Action, facts: FactsFor<Action>): Verdict;
  (actor: Actor | null, action: AccountAction, facts: AccountFacts): Verdict;
  (actor: Actor | null, action: PlainAction): Verdict;
} = access.can;
