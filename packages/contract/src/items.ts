import { roles } from './access/labels.ts';
import {
  type AccessFacts,
  type Actor,
  acting,
  actingOwn,
  type CaseFacts,
  forRoles,
  isAdmin,
  isNoGuest,
  type LockableFacts,
  type MadeFacts,
  making,
  mayEditCase,
  mayEditOwn,
  mayEditShared,
  mayEditTogether,
  mayEditUnlocked,
  mayManage,
  mayOwn,
  type PlainRule,
  reading,
  type Verdict,
} from './access/rules.ts';

type PlainRules = Readonly<Record<string, PlainRule>>;
type Rules = Readonly<Record<string, (actor: Actor, facts: never) => Verdict>>;

/** An item with a label, an audience and usergroups of its own. */
type OwnItem = {
  /** Noun of lists and of the event `revoked`. */
  plural: string;
  /** Word on screens before the name of an item. */
  title: string;
  /** Name of the event that carries the ids of items that changed. */
  event: string;
  /** Name of the event that carries the ids of those that were deleted. */
  deletedEvent?: string;
  /** Rules by verb, decided with the facts of the item. `read` also decides which events an account gets. */
  rules: Rules & { read: (actor: Actor, facts: LockableFacts) => Verdict };
  /** Rules by verb, decided without facts: lists, and whether a button is shown at all. */
  plain?: PlainRules;
  partOf?: never;
};

/**
 * An item read and changed with the rights of its parent, whose facts its rules get. Its event carries ids of the
 * parents in which such an item changed, and goes to those who may read them.
 */
type PartItem = {
  plural: string;
  partOf: string;
  event?: string;
  deletedEvent?: never;
  rules: Rules;
  plain?: PlainRules;
};

/** By the noun in the singular. The actions of an item are named `<item>.<verb>`. */
export type ItemTable = Readonly<Record<string, OwnItem | PartItem>>;

/** Every kind of item that has rights. docs/add-something.md says what else a new one needs. */
export const items = {
  mission: {
    plural: 'missions',
    title: 'Mission',
    event: 'missions',
    rules: {
      read: reading,
      share: reading,
      create: making(mayManage),
      upload: acting(mayManage),
      update: acting(mayManage),
      delete: acting(mayManage),
      export: acting(mayManage),
      hold: acting(isAdmin),
      // Lower a label, or widen an audience; the reason is checked apart.
      lower: acting(isAdmin),
    },
    plain: {
      list: forRoles(...roles),
      createAny: forRoles('superAdmin', 'admin', 'groupAdmin'),
    },
  },
  sensor: { plural: 'sensors', partOf: 'mission', rules: {} },
  // Ground seen while a mission is recorded. It changes with most telemetry, so an event of `missions` would make pages
  // reload all the time.
  ground: { plural: 'ground', partOf: 'mission', event: 'ground', rules: {} },
  bookmark: {
    plural: 'bookmarks',
    partOf: 'mission',
    event: 'bookmarks',
    rules: {
      read: reading,
      create: acting(isNoGuest),
      update: acting(mayEditOwn),
      delete: acting(mayEditOwn),
    },
  },
  clip: {
    plural: 'clips',
    partOf: 'mission',
    event: 'clips',
    rules: {
      read: reading,
      create: acting(isNoGuest),
      update: acting(mayEditOwn),
      delete: acting(mayEditOwn),
      // Pictures and telemetry of a span, to be kept elsewhere.
      export: acting(isNoGuest),
    },
  },
  document: {
    plural: 'documents',
    title: 'Document',
    event: 'updateDocuments',
    rules: {
      read: reading,
      download: acting(isNoGuest),
      create: making(isNoGuest),
      update: acting(mayEditUnlocked),
      delete: acting(mayEditUnlocked),
      // Set or clear the edit lock.
      lock: acting(mayManage),
      lower: acting(isAdmin),
    },
    plain: {
      list: forRoles(...roles),
      createAny: forRoles('superAdmin', 'admin', 'groupAdmin', 'user'),
      bin: forRoles('superAdmin', 'admin'),
    },
  },
  platform: {
    plural: 'platforms',
    title: 'Platform',
    event: 'platforms',
    rules: {
      read: reading,
      // Live pictures and telemetry; the usergroups determine the modes.
      watch: reading,
      // The ring of a live sensor, as a file.
      export: acting(isNoGuest),
      // Start, stop, record.
      control: acting(mayManage),
      lower: acting(isAdmin),
    },
    plain: {
      list: forRoles(...roles),
      controlAny: forRoles('superAdmin', 'admin', 'groupAdmin'),
    },
  },
  annotation: {
    plural: 'annotations',
    title: 'Annotation',
    event: 'updateAnnotations',
    deletedEvent: 'deleteAnnotations',
    rules: {
      read: reading,
      export: acting(isNoGuest),
      create: making(isNoGuest),
      update: acting(mayEditShared),
      delete: acting(mayEditShared),
      // Set or clear the edit lock.
      lock: acting(mayManage),
      lower: acting(isAdmin),
    },
    plain: {
      list: forRoles(...roles),
      createAny: forRoles('superAdmin', 'admin', 'groupAdmin', 'user'),
      exportAny: forRoles('superAdmin', 'admin', 'groupAdmin', 'user'),
      bin: forRoles('superAdmin', 'admin'),
    },
  },
  case: {
    plural: 'cases',
    title: 'Case',
    event: 'cases',
    rules: {
      read: reading,
      create: making(isNoGuest),
      // Name, parts, order and notes.
      update: acting(mayEditCase),
      // Label, audience, editors and owner.
      own: acting(mayOwn),
      delete: acting(mayOwn),
      comment: acting(isNoGuest),
      export: acting(isNoGuest),
      hold: acting(isAdmin),
      lower: acting(isAdmin),
    },
    plain: {
      list: forRoles(...roles),
      createAny: forRoles('superAdmin', 'admin', 'groupAdmin', 'user'),
      bin: forRoles('superAdmin', 'admin'),
    },
  },
  shiplist: {
    plural: 'shiplists',
    title: 'Ship list',
    event: 'shiplists',
    rules: {
      read: actingOwn(() => true),
      create: making(isNoGuest),
      // Which ships are on it.
      update: actingOwn(mayEditTogether),
      // Name, colour, label and audience.
      own: actingOwn(mayEditOwn),
      delete: actingOwn(mayEditOwn),
      export: actingOwn(isNoGuest),
      lower: actingOwn(isAdmin),
    },
    plain: {
      list: forRoles(...roles),
      createAny: forRoles('superAdmin', 'admin', 'groupAdmin', 'user'),
    },
  },
  room: {
    plural: 'rooms',
    title: 'Room',
    event: 'rooms',
    rules: {
      read: reading,
      join: acting(isNoGuest),
      create: making(isAdmin),
      delete: acting(isAdmin),
      // As `create`, where the installation lets groupAdmins have rooms of their groups.
      createOwn: making(mayManage),
      deleteOwn: acting(mayManage),
    },
    plain: {
      list: forRoles('superAdmin', 'admin', 'groupAdmin', 'user'),
    },
  },
} as const;

type Items = typeof items;
type NamesWith<Shape> = { [Name in keyof Items]: Items[Name] extends Shape ? Name : never }[keyof Items];

/** `mission`, `sensor`, ... */
export type AnyItemName = keyof Items;
/** Items with a label and an audience of their own. */
export type ItemName = NamesWith<OwnItem>;
/** Items that say when they changed. */
export type AnnouncedItemName = NamesWith<{ event: string }>;
/** `missions`, `documents`, ...: of items with a label and an audience of their own. */
export type ItemNoun = Items[ItemName]['plural'];

/** `bookmarks`, ...: of parts that say when they changed. */
export type PartNoun = Items[NamesWith<{ event: string; partOf: string }>]['plural'];

/** Facts that the rules of an item need. */
export type FactsOf<Name extends AnyItemName> = Items[Name]['rules'][keyof Items[Name]['rules']] extends (
  actor: Actor,
  facts: infer Facts,
) => Verdict
  ? Facts
  : never;
export type ActionOf<Name extends AnyItemName> = `${Name}.${keyof Items[Name]['rules'] & string}`;

type ActionsOver<Facts> = {
  [Name in AnyItemName]: Facts extends FactsOf<Name> ? ActionOf<Name> : never;
}[AnyItemName];
/** Actions over items whose rules need the access facts alone. */
export type ItemAction = ActionsOver<AccessFacts>;
/** Actions over items that have an edit lock. */
export type LockableAction = Exclude<ActionsOver<LockableFacts>, ItemAction>;
/** Actions over parts that belong to who made them. */
export type MadeAction = Exclude<ActionsOver<MadeFacts>, ItemAction>;
/** Actions over cases whose rules go by owner and editors. */
export type CaseAction = Exclude<ActionsOver<CaseFacts>, ItemAction | LockableAction | MadeAction>;
/** Actions over no one item of a kind. */
export type PlainItemAction = {
  [Name in AnyItemName]: Items[Name] extends { plain: infer Plain } ? `${Name}.${keyof Plain & string}` : never;
}[AnyItemName];
export type DocumentAction = ActionOf<'document'>;
export type AnnotationAction = ActionOf<'annotation'>;

/** Names of the items of a table that have a label and an audience of their own, in its order. */
export function ownItemsOf<Table extends ItemTable>(table: Table): (keyof Table & string)[] {
  return Object.keys(table).filter((name) => table[name]?.partOf === undefined);
}

export const itemNames = ownItemsOf(items) as readonly ItemName[];
export const itemNouns = itemNames.map((name) => items[name].plural) as [ItemNoun, ...ItemNoun[]];
/** Word on screens before the name of an item, by its plural. */
export const itemTitles = Object.fromEntries(
  itemNames.map((name) => [items[name].plural, items[name].title]),
) as Readonly<Record<ItemNoun, string>>;
