import { type Actor, accessOf, type ItemTable } from '@osprey/contract';
import type { SelectQueryBuilder } from 'kysely';
import { asSystem, type Db } from '../access/as-system.ts';
import type { Database } from '../db/schema.ts';
import { factsById, factsOf, type StoredFacts } from './facts.ts';
import { type ItemKind, kindsOf } from './kinds.ts';
import { idsNamed, namesOf } from './names.ts';
import { itemOfNotice, noticeSchema, type RightsNotice } from './notice.ts';
import type { StoredItems } from './table.ts';
import { visibleRows, visibleTo } from './visible.ts';

export type Items = ReturnType<typeof bindItems>;

/**
 * Binds the functions that work on every kind of item with rights to one table of items.
 *
 * @throws Error if the two tables do not name the same items
 */
export function bindItems<Stored extends StoredItems>(contract: ItemTable, stored: Stored) {
  const kinds = kindsOf(contract, stored);
  const access = accessOf(contract);
  const byItem = new Map(kinds.map((kind) => [kind.item, kind]));
  const byNoun = new Map(kinds.map((kind) => [kind.noun, kind]));
  const events = new Map(
    Object.values(contract).flatMap(({ plural, event }) => (event === undefined ? [] : [[plural, event] as const])),
  );

  /** @throws Error for an unknown item */
  function kindOf(item: string): ItemKind {
    const kind = byItem.get(item);
    if (kind === undefined) throw new Error(`Unknown item: ${item}`);
    return kind;
  }

  type Rows<Item extends keyof Stored> = SelectQueryBuilder<Database, Stored[Item]['table'] & keyof Database, object>;

  return {
    kinds,
    /** Decides what actors may do with these items. */
    access,
    kindOf,
    /** Returns the kind with this plural name; undefined if there is none. */
    kindOfNoun: (noun: string): ItemKind | undefined => byNoun.get(noun),
    /**
     * Returns the name of the changed event for a plural name. The event carries ids of items; for parts, the ids of
     * their parent items.
     */
    eventOf: (noun: string): string | undefined => events.get(noun),

    /**
     * Starts a query on items of this kind for an actor. It is restricted to rows that `<item>.read` allows and that
     * are not in the bin. All queries for actors must start with it.
     */
    visible<Item extends keyof Stored & string>(item: Item, db: Db, actor: Actor): Rows<Item> {
      return visibleRows(kindOf(item), db, actor) as unknown as Rows<Item>;
    },
    /** Starts the same query over the bin: items that the actor could read if they were not deleted. */
    visibleInBin<Item extends keyof Stored & string>(item: Item, db: Db, actor: Actor): Rows<Item> {
      return visibleRows(kindOf(item), db, actor, { inBin: true }) as unknown as Rows<Item>;
    },
    /** The rule `<item>.read` as a condition over its table. */
    visibleTo(item: keyof Stored & string, actor: Actor) {
      return visibleTo(kindOf(item), actor);
    },

    /** Reads the facts of one item outside the bin; null if there is none. `db` must come from `asSystem`. */
    async factsOf(item: keyof Stored & string, db: Db, id: string): Promise<StoredFacts | null> {
      const facts = (await factsOf(kindOf(item), db, [id])).get(id);
      return facts === undefined || facts.deleted ? null : facts;
    },
    /** Facts of items of any kind, also of those in the bin. */
    factsById: (db: Db, ids: readonly string[]) => factsById(kinds, asSystem(db, 'events'), ids),

    /** Whether `<item>.read` allows access, without regard to the bin. */
    maySee: (actor: Actor, facts: StoredFacts): boolean => access.can(actor, `${facts.item}.read`, facts).allowed,
    /** Whether the actor may currently read the item: it exists, is not in the bin, and `<item>.read` allows it. */
    mayRead: (actor: Actor, facts: StoredFacts | undefined): boolean =>
      facts !== undefined && !facts.deleted && access.can(actor, `${facts.item}.read`, facts).allowed,

    namesOf: (db: Db, actor: Actor, ids: readonly string[]) => namesOf(kinds, db, actor, ids),
    idsNamed: (db: Db, actor: Actor, name: string) => idsNamed(kinds, db, actor, name),

    notice: noticeSchema(kinds),
    itemOfNotice: (notice: RightsNotice) => itemOfNotice(kinds, notice),
  };
}
