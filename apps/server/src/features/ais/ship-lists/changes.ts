import {
  type Actor,
  AppError,
  type ChangedShipList,
  classificationRank,
  type ListedShip,
  type NewShipList,
  SHIP_LIST_SHIPS_MAX,
  SHIP_LISTS_MAX,
} from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { asSystem, type Db } from '../../../base/access/as-system.ts';
import { authorize } from '../../../base/access/authorize.ts';
import { knowsGroup } from '../../../base/access/known-groups.ts';
import { compareSharing, needReason, refuseSharing, requestedFacts } from '../../../base/access/sharing.ts';
import type { Database } from '../../../base/db/schema.ts';
import { shareOnlyWith, shareWith } from '../../../base/items/shared-with.ts';
import { shipListItem } from './item.ts';
import { factsOfList, readShipList, type ShipListFacts, type StoredShipList } from './rows.ts';

const TOO_MANY_LISTS = `An account has at most ${SHIP_LISTS_MAX} ship lists. Delete one first.`;
const TOO_MANY_SHIPS = `A list has at most ${SHIP_LIST_SHIPS_MAX} ships. Make another one.`;

/** Change of a list's rights by an update, for the audit. */
export type ShipListChange = { before: ShipListFacts; after: ShipListFacts; reason: string | null };

/** All changes of ship lists by an actor. Each function checks the rights in the same transaction that writes. */
export function shipListChanges({ db, nowUs }: { db: Kysely<Database>; nowUs: () => number }) {
  /** @throws AppError forbidden, ruleRefused, and the refusals of sharing */
  async function create(actor: Actor, requested: NewShipList): Promise<string> {
    return db.transaction().execute(async (tx) => {
      const { securityClassification, audience, usergroups } = requested;
      const facts = { securityClassification, audience, usergroups, draft: false, authorId: actor.id };
      authorize(actor, 'shiplist.create', facts);
      await refuseShared(tx, actor, facts);
      // The lock serialises creations by one account, so that together they cannot exceed the limit.
      await tx.selectFrom('users').select('id').where('id', '=', actor.id).forUpdate().execute();
      const { count } = await asSystem(tx, 'authorized change')
        .selectFrom('ship_lists')
        .where('owner_id', '=', actor.id)
        .where('deleted_time', 'is', null)
        .select(sql<number>`count(*)`.as('count'))
        .executeTakeFirstOrThrow();
      if (count >= SHIP_LISTS_MAX) throw new AppError('ruleRefused', { reason: TOO_MANY_LISTS });
      const { id } = await tx
        .insertInto('ship_lists')
        .values({
          name: requested.name,
          colour: requested.colour,
          classification: classificationRank(securityClassification),
          audience,
          owner_id: actor.id,
          owner: actor.username,
          created: nowUs(),
          changed: nowUs(),
          deleted_time: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await shareWith(tx, shipListItem.shiplist, { id, usergroups: audience === 'groups' ? usergroups : [] });
      await putShips(tx, id, requested.ships);
      return id;
    });
  }

  /** @throws AppError notFound, forbidden, revisionConflict, reasonNeeded, and the refusals of sharing */
  async function update(actor: Actor, id: string, change: ChangedShipList): Promise<ShipListChange> {
    return db.transaction().execute(async (tx) => {
      const row = await lockRow(tx, actor, id);
      const before = factsOfList(row);
      authorize(actor, 'shiplist.own', before);
      if (change.revision !== row.revision) throw new AppError('revisionConflict');
      // Usergroups that the actor does not know of are kept.
      const unknown = before.usergroups.filter((group) => !knowsGroup(actor, group));
      const usergroups = change.usergroups && [...new Set([...change.usergroups, ...unknown])];
      const after = requestedFacts(before, { ...change, usergroups });
      const sharing = compareSharing(before, after);
      if (sharing.changes) await refuseShared(tx, actor, after, before.usergroups);
      if (sharing.widened) {
        authorize(actor, 'shiplist.lower', before);
        needReason(change.reason);
      }
      await asSystem(tx, 'authorized change')
        .updateTable('ship_lists')
        .set({
          ...(change.name === undefined ? {} : { name: change.name }),
          ...(change.colour === undefined ? {} : { colour: change.colour }),
          classification: classificationRank(after.securityClassification),
          audience: after.audience,
          changed: nowUs(),
          revision: sql`revision + 1`,
        })
        .where('id', '=', id)
        .execute();
      await shareOnlyWith(tx, shipListItem.shiplist, row, after.audience === 'groups' ? after.usergroups : []);
      return { before, after, reason: change.reason ?? null };
    });
  }

  /** @throws AppError notFound, forbidden */
  async function remove(actor: Actor, id: string): Promise<StoredShipList> {
    return db.transaction().execute(async (tx) => {
      const row = await lockRow(tx, actor, id);
      authorize(actor, 'shiplist.delete', factsOfList(row));
      await asSystem(tx, 'authorized change')
        .updateTable('ship_lists')
        .set({ deleted_time: nowUs() })
        .where('id', '=', id)
        .execute();
      return row;
    });
  }

  /** Returns how many were not on the list before. @throws AppError notFound, forbidden, ruleRefused */
  async function add(actor: Actor, id: string, ships: readonly ListedShip[]) {
    return db.transaction().execute(async (tx) => {
      const row = await lockRow(tx, actor, id);
      authorize(actor, 'shiplist.update', factsOfList(row));
      await putShips(tx, id, ships);
      await touch(tx, id);
      const after = await readShipList(tx, actor, id);
      if (after.ships > SHIP_LIST_SHIPS_MAX) throw new AppError('ruleRefused', { reason: TOO_MANY_SHIPS });
      return { row, added: after.ships - row.ships };
    });
  }

  /** @throws AppError notFound, forbidden */
  async function takeOff(actor: Actor, id: string, ships: readonly number[]) {
    return db.transaction().execute(async (tx) => {
      const row = await lockRow(tx, actor, id);
      authorize(actor, 'shiplist.update', factsOfList(row));
      const { numDeletedRows } = await asSystem(tx, 'authorized change')
        .deleteFrom('ship_list_ships')
        .where('shiplist_id', '=', id)
        .where('mmsi', 'in', [...ships])
        .executeTakeFirst();
      await touch(tx, id);
      return { row, removed: Number(numDeletedRows) };
    });
  }

  const touch = (tx: Db, id: string) =>
    asSystem(tx, 'authorized change')
      .updateTable('ship_lists')
      .set({ changed: nowUs() })
      .where('id', '=', id)
      .execute();

  return { create, update, remove, add, takeOff };
}

/** Locks and reads the list. @throws AppError notFound if it is hidden or absent */
async function lockRow(tx: Db, actor: Actor, id: string): Promise<StoredShipList> {
  await asSystem(tx, 'authorized change')
    .selectFrom('ship_lists')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .execute();
  return readShipList(tx, actor, id);
}

/**
 * Checks the sharing of a list. Since its author can always read the list, it may be shared with no group, or with
 * groups that the author does not belong to.
 */
async function refuseShared(
  tx: Db,
  actor: Actor,
  requested: Omit<ShipListFacts, 'id'>,
  before: readonly string[] = [],
) {
  await refuseSharing(tx, actor, requested, before).catch((error) => {
    const isOwn = requested.authorId === actor.id;
    if (!(isOwn && error instanceof AppError && error.code === 'hidesFromMaker')) throw error;
  });
}

async function putShips(tx: Db, id: string, ships: readonly ListedShip[]): Promise<void> {
  const last = [...new Map(ships.map((ship) => [ship.mmsi, ship])).values()];
  if (last.length === 0) return;
  await sql`insert into ship_list_ships (shiplist_id, mmsi, note)
    select ${id}::uuid, * from unnest(${last.map(({ mmsi }) => mmsi)}::integer[], ${last.map(({ note }) => note)}::text[])
    on conflict (shiplist_id, mmsi) do update set note = excluded.note where excluded.note <> ''`.execute(tx);
}
