import { Readable } from 'node:stream';
import {
  addListedShips,
  classificationOf,
  classificationRank,
  createShipList,
  deleteShipList,
  exportShipList,
  getShipList,
  type ListedShip,
  listShipLists,
  mmsiText,
  removeListedShips,
  stationOf,
  updateShipList,
} from '@osprey/contract';
import type { Kysely } from 'kysely';
import { authorize } from '../../../base/access/authorize.ts';
import { auditedChange, auditedItem } from '../../../base/audit/item-notes.ts';
import type { Database } from '../../../base/db/schema.ts';
import { callRoute, type Http } from '../../../base/http/call-route.ts';
import { csvLine } from '../../../base/http/csv.ts';
import type { Changed } from '../../../base/ws/outgoing.ts';
import { exportName } from '../export.ts';
import { aisReads } from '../read.ts';
import type { AisReadSessions } from '../read-sessions.ts';
import { highestLabel, visibleSources } from '../sources.ts';
import { shipListChanges } from './changes.ts';
import { factsOfList, listsOf, readShipList, shipsOf, toShipList } from './rows.ts';

export type ShipListRoutesDeps = Http & {
  db: Kysely<Database>;
  sessions: AisReadSessions;
  changed: Changed;
  /** Whether the licence and the configuration allow ships at all. */
  isOn: () => boolean;
};

/** Serves named lists of ships, which belong to one account or are shared with usergroups. */
export function shipListRoutes(deps: ShipListRoutesDeps): void {
  const { db, sessions, changed, nowUs } = deps;
  const changes = shipListChanges({ db, nowUs });

  callRoute(deps, listShipLists, async ({ input: { query }, actor }) =>
    (await listsOf(db, actor, query.mmsi)).map((row) => toShipList(row, actor)),
  );

  callRoute(deps, createShipList, async ({ input: { body }, actor, audit }) => {
    authorize(actor, 'shiplist.createAny');
    const id = await changes.create(actor, body);
    const row = await readShipList(db, actor, id);
    await audit.write({
      action: 'shiplist.create',
      ...auditedItem(factsOfList(row)),
      result: `${row.ships} ships`,
    });
    changed('shiplists', [id]);
    return { ...toShipList(row, actor), message: `Ship list ${row.name} created` };
  });

  callRoute(deps, getShipList, async ({ input: { params }, actor, audit }) => {
    const row = await readShipList(db, actor, params.id);
    const facts = factsOfList(row);
    authorize(actor, 'shiplist.read', facts);
    await audit.read('shiplist.read', facts);
    const ships = await shipsOf(db, actor, params.id);
    return { ...toShipList(row, actor), listed: ships.map((ship) => ({ ...ship, ...stationOf(ship.mmsi) })) };
  });

  callRoute(deps, updateShipList, async ({ input: { params, body }, actor, audit }) => {
    const change = await changes.update(actor, params.id, body);
    await audit.write(auditedChange('shiplist.update', change));
    changed('shiplists', [params.id]);
    return toShipList(await readShipList(db, actor, params.id), actor);
  });

  callRoute(deps, deleteShipList, async ({ input: { params }, actor, audit }) => {
    const row = await changes.remove(actor, params.id);
    await audit.write({
      action: 'shiplist.delete',
      ...auditedItem(factsOfList(row)),
      result: `${row.ships} ships`,
    });
    changed('shiplists', [params.id]);
    return { message: `Ship list ${row.name} deleted` };
  });

  callRoute(deps, addListedShips, async ({ input: { params, body }, actor, audit }) => {
    const { row, added } = await changes.add(actor, params.id, body.ships);
    await audit.write({
      action: 'shiplist.update',
      ...auditedItem(factsOfList(row)),
      result: `${added} ships added`,
    });
    changed('shiplists', [params.id]);
    return { message: `${countText(added)} added to ${row.name}`, added };
  });

  callRoute(deps, removeListedShips, async ({ input: { params, body }, actor, audit }) => {
    const { row, removed } = await changes.takeOff(actor, params.id, body.ships);
    await audit.write({
      action: 'shiplist.update',
      ...auditedItem(factsOfList(row)),
      result: `${removed} ships removed`,
    });
    changed('shiplists', [params.id]);
    return { message: `${countText(removed)} removed from ${row.name}` };
  });

  callRoute(deps, exportShipList, async ({ input: { params }, actor, audit, reply }) => {
    const facts = factsOfList(await readShipList(db, actor, params.id));
    authorize(actor, 'shiplist.export', facts);
    const ships = await shipsOf(db, actor, params.id);
    // Names come from receivers, and only from those that the caller may access.
    const sources = deps.isOn() ? await visibleSources(db, actor) : [];
    await sessions.read(actor.id, sources, audit);
    const existing = await aisReads(db).vessels(
      sources,
      ships.map(({ mmsi }) => mmsi),
    );
    await audit.write({ action: 'shiplist.export', ...auditedItem(facts), result: `${ships.length} ships` });
    const labels = [facts.securityClassification, highestLabel(sources)].map(classificationRank);
    const name = exportName('csv', classificationOf(Math.max(...labels)), nowUs(), 'ships');
    reply.header('content-disposition', `attachment; filename="${name}"`);
    reply.header('cache-control', 'no-store');
    reply.type('text/csv; charset=utf-8');
    return Readable.from(csv(ships, new Map(existing.map((vessel) => [vessel.mmsi, vessel.name]))));
  });
}

const countText = (count: number): string => (count === 1 ? '1 ship' : `${count} ships`);

function* csv(ships: readonly ListedShip[], names: ReadonlyMap<number, string | null>): Generator<string> {
  yield `\ufeff${csvLine(['mmsi', 'name', 'note'])}`;
  for (const { mmsi, note } of ships) yield csvLine([mmsiText(mmsi), names.get(mmsi) ?? null, note]);
}
