import { roles } from './access/labels.ts';
import {
  type Actor,
  acting,
  actingOwn,
  forRoles,
  isAdmin,
  isNoGuest,
  type LockableFacts,
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

/** An item with its own label, audience and usergroups. */
type OwnItem = {
  /** Plural noun used in lists and in the event `revoked`. */
  plural: string;
  /** Word shown on screen before the name of an item. */
  title: string;
  /** Name of the event that carries the ids of changed items. */
  event: string;
  /** Name of the event that carries the ids of deleted items. */
  deletedEvent?: string;
  /** Rules by verb, evaluated with the facts of the item. `read` also decides which events an account receives. */
  rules: Rules & { read: (actor: Actor, facts: LockableFacts) => Verdict };
  /** Rules by verb, evaluated without an item: for lists, and for whether a button is shown at all. */
  plain?: PlainRules;
  partOf?: never;
};

/**
 * An item that is read and changed with the rights of its parent; its rules receive the parent's facts. Its event
 * carries the ids of the parents in which such an item changed, and is sent to those who may read these parents.
 */
type PartItem = {
  plural: string;
  partOf: string;
  event?: string;
  deletedEvent?: never;
  rules: Rules;
  plain?: PlainRules;
};

/** Keyed by the singular noun of the item. Actions on an item are named `<item>.<verb>`. */
export type ItemTable = Readonly<Record<string, OwnItem | PartItem>>;

/** Every kind of item that has access rights. docs/add-something.md lists the other steps for adding one. */
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
      // Lowering a label or widening an audience. The required reason is checked separately.
      lower: acting(isAdmin),
    },
    plain: {
      list: forRoles(...roles),
      createAny: forRoles('superAdmin', 'admin', 'groupAdmin'),
    },
  },
  sensor: { plural: 'sensors', partOf: 'mission', rules: {} },
  // Ground seen while a mission is recorded. It has its own event, since it changes with most telemetry and an event of
  // `missions` would make pages reload constantly.
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
      // Exporting pictures and telemetry of a span as files.
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
      // Setting or clearing the edit lock.
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
      // Watching live pictures and telemetry; the usergroups determine the allowed modes.
      watch: reading,
      // Exporting the ring buffer of a live sensor as a file.
      export: acting(isNoGuest),
      // Starting, stopping and recording.
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
      // Setting or clearing the edit lock.
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
      // Changing name, parts, order and notes.
      update: acting(mayEditCase),
      // Changing label, audience, editors and owner.
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
      // Changing which ships are on the list.
      update: actingOwn(mayEditTogether),
      // Changing name, colour, label and audience.
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
      // Like `create`, for installations that let groupAdmins make rooms for their own usergroups.
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

/** Names of all kinds of items: `mission`, `sensor`, ... */
export type AnyItemName = keyof Items;
/** Names of items with their own label and audience. */
export type ItemName = NamesWith<OwnItem>;
/** Names of items that have a change event. */
export type AnnouncedItemName = NamesWith<{ event: string }>;
/** Plural nouns (`missions`, `documents`, ...) of items with their own label and audience. */
export type ItemNoun = Items[ItemName]['plural'];

/** Plural nouns (`bookmarks`, ...) of parts that have a change event. */
export type PartNoun = Items[NamesWith<{ event: string; partOf: string }>]['plural'];

/** Facts that the rules of an item need as input. */
export type FactsOf<Name extends AnyItemName> = Items[Name]['rules'][keyof Items[Name]['rules']] extends (
  actor: Actor,
  facts: infer Facts,
) => Verdict
  ? Facts
  : never;
export type ActionOf<Name extends AnyItemName> = `${Name}.${keyof Items[Name]['rules'] & string}`;

/** Actions on items of all kinds. */
export type ItemAction = { [Name in AnyItemName]: ActionOf<Name> }[AnyItemName];
/** Facts that the rule of an action on an item needs. */
export type FactsFor<Action extends ItemAction> = FactsByAction[Action];
type FactsByAction = { [Name in AnyItemName as ActionOf<Name>]: FactsOf<Name> };
/** Actions that concern a kind of item rather than one particular item, such as listing. */
export type PlainItemAction = {
  [Name in AnyItemName]: Items[Name] extends { plain: infer Plain } ? `${Name}.${keyof Plain & string}` : never;
}[AnyItemName];
export type DocumentAction = ActionOf<'document'>;
export type AnnotationAction = ActionOf<'annotation'>;

/** Returns the names of the items in a table that have their own label and audience, in the table's order. */
export function ownItemsOf<Table extends ItemTable>(table: Table): (keyof Table & string)[] {
  return Object.keys(table).filter((name) => table[name]?.partOf === undefined);
}

export const itemNames = ownItemsOf(items) as readonly ItemName[];
export const itemNouns = itemNames.map((name) => items[name].plural) as [ItemNoun, ...ItemNoun[]];
/** Words shown on screen before the name of an item, keyed by the item's plural noun. */
export const itemTitles = Object.fromEntries(
  itemNames.map((name) => [items[name].plural, items[name].title]),
) as Readonly<Record<ItemNoun, string>>;
