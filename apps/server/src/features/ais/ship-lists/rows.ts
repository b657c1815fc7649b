import { type Actor, AppError, can, classificationOf, type MadeFacts, type ShipListRow } from '@osprey/contract';
import { sql } from 'kysely';
import type { Db } from '../../../base/access/as-system.ts';
import { knowsGroup } from '../../../base/access/known-groups.ts';
import { visibleOf } from '../../../base/items/visible.ts';
import { shipListItem } from './item.ts';

/** Maximum number of rows in one response. */
const ROWS_MAX = 500;

/** Facts with the list's id, so that the audit can name the item. */
export type ShipListFacts = MadeFacts & { id: string };

/** Query for the lists that the actor may read, with their usergroups and number of ships. */
const selectLists = (db: Db, actor: Actor) =>
  visibleOf(shipListItem.shiplist, db, actor)
    .selectAll('ship_lists')
    .select([
      sql<string[]>`array(select usergroup_id::text from ship_list_usergroups link
        where link.shiplist_id = ship_lists.id order by usergroup_id)`.as('usergroups'),
      sql<number>`(select count(*) from ship_list_ships where ship_list_ships.shiplist_id = ship_lists.id)`.as('ships'),
    ]);

export type StoredShipList = Awaited<ReturnType<ReturnType<typeof selectLists>['executeTakeFirstOrThrow']>>;

/** Lists sorted by name; with `mmsi`, only those that contain this ship. */
export const listsOf = (db: Db, actor: Actor, mmsi: number | undefined): Promise<StoredShipList[]> =>
  selectLists(db, actor)
    .$if(mmsi !== undefined, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('ship_list_ships as ship')
            .whereRef('ship.shiplist_id', '=', 'ship_lists.id')
            .where('ship.mmsi', '=', mmsi!),
        ),
      ),
    )
    .orderBy('ship_lists.name')
    .orderBy('ship_lists.id')
    .limit(ROWS_MAX)
    .execute();

/** @throws AppError notFound where it is hidden or absent */
export async function readShipList(db: Db, actor: Actor, id: string): Promise<StoredShipList> {
  const row = await selectLists(db, actor).where('ship_lists.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('notFound');
  return row;
}

/** Returns the ships of a list that the actor may read, sorted by MMSI. */
export const shipsOf = (db: Db, actor: Actor, id: string) =>
  visibleOf(shipListItem.shiplist, db, actor)
    .innerJoin('ship_list_ships as ship', 'ship.shiplist_id', 'ship_lists.id')
    .where('ship_lists.id', '=', id)
    .select(['ship.mmsi', 'ship.note'])
    .orderBy('ship.mmsi')
    .execute();

/**
 * Returns the MMSIs of the ships on a list; undefined if no list is named. @throws AppError notFound if it is hidden or
 * absent
 */
export async function listedIn(db: Db, actor: Actor, id: string | undefined): Promise<number[] | undefined> {
  if (id === undefined) return undefined;
  await readShipList(db, actor, id);
  return (await shipsOf(db, actor, id)).map(({ mmsi }) => mmsi);
}

export const factsOfList = (row: StoredShipList): ShipListFacts => ({
  id: row.id,
  securityClassification: classificationOf(row.classification),
  audience: row.audience,
  usergroups: row.usergroups,
  draft: false,
  authorId: row.owner_id,
});

/** A row in the contract's shape. */
export function toShipList(row: StoredShipList, actor: Actor): ShipListRow {
  const facts = factsOfList(row);
  return {
    _id: row.id,
    name: row.name,
    colour: row.colour,
    securityClassification: facts.securityClassification,
    audience: row.audience,
    usergroups: row.usergroups.filter((id) => knowsGroup(actor, id)),
    owner: row.owner,
    own: row.owner_id === actor.id,
    ships: row.ships,
    changed: row.changed,
    revision: row.revision,
    editable: can(actor, 'shiplist.update', facts).allowed,
    deletable: can(actor, 'shiplist.delete', facts).allowed,
  };
}
