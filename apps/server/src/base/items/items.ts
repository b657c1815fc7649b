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
 * Functions that the server has for every kind of item with rights, over one table of items.
 *
 * @throws Error where the two tables do not name the same items
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
    /** Decides over these items. */
    access,
    kindOf,
    /** By the plural; undefined where it is of no item. */
    kindOfNoun: (noun: string): ItemKind | undefined => byNoun.get(noun),
    /** The changed event of a plural. Its ids are those of items, of a part those of its parents. */
    eventOf: (noun: string): string | undefined => events.get(noun),

    /**
     * Starts every query on items of this kind for an actor: rows that `<item>.read` allows, and nothing in the bin.
     */
    visible<Item extends keyof Stored & string>(item: Item, db: Db, actor: Actor): Rows<Item> {
      return visibleRows(kindOf(item), db, actor) as unknown as Rows<Item>;
    },
    /** The same over the bin: what the actor could read if it were not deleted. */
    visibleInBin<Item extends keyof Stored & string>(item: Item, db: Db, actor: Actor): Rows<Item> {
      return visibleRows(kindOf(item), db, actor, { inBin: true }) as unknown as Rows<Item>;
    },
    /** The rule `<item>.read` as a condition over its table. */
    visibleTo(item: keyof Stored & string, actor: Actor) {
      return visibleTo(kindOf(item), actor);
    },

    /** Facts of one item outside the bin; null where there is none. `db`: of `asSystem`. */
    async factsOf(item: keyof Stored & string, db: Db, id: string): Promise<StoredFacts | null> {
      const facts = (await factsOf(kindOf(item), db, [id])).get(id);
      return facts === undefined || facts.deleted ? null : facts;
    },
    /** Facts of items of any kind, also of those in the bin. */
    factsById: (db: Db, ids: readonly string[]) => factsById(kinds, asSystem(db, 'events'), ids),

    /** Whether `<item>.read` allows it; the bin is not regarded. */
    maySee: (actor: Actor, facts: StoredFacts): boolean => access.can(actor, `${facts.item}.read`, facts).allowed,
    /** Whether the actor may read it now: it exists, and is outside the bin. */
    mayRead: (actor: Actor, facts: StoredFacts | undefined): boolean =>
      facts !== undefined && !facts.deleted && access.can(actor, `${facts.item}.read`, facts).allowed,

    namesOf: (db: Db, actor: Actor, ids: readonly string[]) => namesOf(kinds, db, actor, ids),
    idsNamed: (db: Db, actor: Actor, name: string) => idsNamed(kinds, db, actor, name),

    notice: noticeSchema(kinds),
    itemOfNotice: (notice: RightsNotice) => itemOfNotice(kinds, notice),
  };
}
