import {
  type AccountFacts,
  backupFailedEvent,
  backupsEvent,
  can,
  concurrentUsersEvent,
  demoExpiredEvent,
  errorEvent,
  infoEvent,
  isAdmin,
  mapLayersEvent,
  messageEvent,
  missionUpdateEvent,
  searchHitEvent,
  usergroupsEvent,
  usersEvent,
} from '@osprey/contract';
import type { Kysely } from 'kysely';
import { accountFactsOf } from '../access/account-visibility.ts';
import { asSystem, type Db } from '../access/as-system.ts';
import { knowsGroup } from '../access/known-groups.ts';
import type { OpenReads } from '../access/open-reads.ts';
import type { Database } from '../db/schema.ts';
import { type IsSeen, readAtOnce } from '../db/snapshot.ts';
import type { StoredFacts } from '../items/facts.ts';
import type { Items } from '../items/items.ts';
import type { RightsNotice } from '../items/notice.ts';
import { type Audience, emit, type Listening, type MovedAccounts } from './audience.ts';
import { lostRights } from './lost-rights.ts';
import type { Outgoing } from './outgoing.ts';

/** More lost items of one noun than this are not named: the page forgets all that it read of it. */
const LOST_MAX = 2000;

export type DeliveryDeps = {
  db: Kysely<Database>;
  audience: Audience;
  reads: OpenReads;
  items: Items;
  /** Hears all notices of changes that were committed before the call, and returns those that came meanwhile. */
  receiveAll?: () => Promise<readonly RightsNotice[]>;
  /** A test takes fewer. */
  lostMax?: number;
};

/** Read once for the events of a batch. `shown`: ids of sensors that every reader of their mission sees. */
type Batch = { facts: ReadonlyMap<string, StoredFacts>; sees: Visibility; shown: ReadonlySet<string> };

type Visibility = (listening: Listening, facts: StoredFacts | undefined) => boolean;

/**
 * Works off one batch of notices and events: first lost rights, then events. Rights are read from the rows at this
 * moment, so an event that was queued before a revocation does not go out after it.
 *
 * Rows show a transaction whole, whose notices may come in several batches. So before what a page lost is decided, all
 * notices of what the rows show are heard: what a page saw before is what it was told, wound back by all of them.
 *
 * The way of both: triggers and `outgoing.ts` notify the database's channels, the hub gathers what it hears into a batch,
 * this part sends it. `lost-rights.ts` ends what is no longer allowed, and `audience.ts` holds who listens.
 */
export function delivery(deps: DeliveryDeps) {
  const { db, audience, reads, items, lostMax = LOST_MAX, receiveAll = async () => [] } = deps;
  const { mayRead } = items;
  const lost = lostRights({ db, audience, reads, items, lostMax });

  const noticedBy = (rights: readonly RightsNotice[]) => rights.flatMap((notice) => items.itemOfNotice(notice) ?? []);

  /** Returns notices of changes that came after the moment that was read: they belong to the next batch. */
  return async function deliver(
    rights: readonly RightsNotice[],
    events: readonly Outgoing[],
  ): Promise<readonly RightsNotice[]> {
    const ofEvents = events.flatMap(itemIdsOf);
    await endReads(rights, ofEvents);
    if (rights.length === 0) {
      // Facts before accounts: a right lost in between is then seen.
      const facts = await items.factsById(db, ofEvents);
      const moved = await audience.moved(db);
      if (moved.size === 0) {
        await sendAll(events, facts);
        return [];
      }
    }
    const { facts, later } = await readAtOnce(db, (tx, isSeen) => takeRights(tx, isSeen, rights, ofEvents));
    await sendAll(events, facts);
    return later;
  };

  async function endReads(rights: readonly RightsNotice[], ofEvents: readonly string[]): Promise<void> {
    for (const notice of rights) if ('credential' in notice) lost.closeCredential(notice.credential);
    const touched = new Set([...ofEvents, ...noticedBy(rights).map(({ id }) => id)]);
    if (rights.length > 0) await lost.closeReads(rights, touched);
  }

  async function takeRights(
    tx: Db,
    isSeen: IsSeen,
    rights: readonly RightsNotice[],
    ofEvents: readonly string[],
  ): Promise<{ facts: Map<string, StoredFacts>; later: RightsNotice[] }> {
    const moved = await audience.moved(tx);
    const received = await receiveAll();
    await endReads(received, []);
    const later = received.filter((notice) => !isIn(notice, isSeen, moved));
    const noticed = noticedBy([...rights, ...received.filter((notice) => !later.includes(notice))]);
    const facts = await items.factsById(tx, [...new Set([...ofEvents, ...noticed.map(({ id }) => id)])]);
    await lost.sendRevoked(tx, { noticed, facts, accounts: audience.change(moved) });
    return { facts, later };
  }

  /** Whether the moment that was read holds the change of a notice. */
  function isIn(notice: RightsNotice, isSeen: IsSeen, moved: MovedAccounts): boolean {
    if ('tx' in notice && notice.tx !== undefined) return isSeen(notice.tx);
    if (!('user' in notice)) return true;
    return audience.of(notice.user).every((existing) => (moved.get(existing)?.epoch ?? existing.epoch) >= notice.epoch);
  }

  async function sendAll(events: readonly Outgoing[], facts: Map<string, StoredFacts>): Promise<void> {
    const batch = { facts, sees: visibilityByKey(), shown: await shownSensors(db, events) };
    for (const event of events) await send(event, batch);
  }

  async function send(event: Outgoing, batch: Batch): Promise<void> {
    if (event.kind === 'changed') return sendChanged(event, batch);
    if (event.kind === 'flow') return sendFlow(event, batch);
    if (event.kind === 'fileFailed') return sendToUploader(event, batch);
    if (event.kind === 'searchHit') return sendSearchHit(event, batch);
    if (event.kind === 'message') return sendTo(event.user, messageEvent.name, { text: event.text });
    sendInstallation(event);
  }

  async function sendChanged(event: Extract<Outgoing, { kind: 'changed' }>, batch: Batch): Promise<void> {
    const { noun, ids } = event;
    const name = items.eventOf(noun);
    if (name) sendItems(name, ids, batch);
    const deletedEvent = items.kindOfNoun(noun)?.deletedEvent;
    const isDeleted = (id: string) => batch.facts.get(id)?.deleted === true;
    if (deletedEvent) sendItems(deletedEvent, ids.filter(isDeleted), batch);
    if (noun === 'usergroups') sendUsergroups(ids);
    if (noun === 'users') await sendUsers(ids);
  }

  /** Events that concern no item: the configuration, map layers, the licence and the backups. */
  function sendInstallation(event: Outgoing): void {
    for (const listening of audience.everyone()) {
      const admin = isAdmin(listening.actor);
      if (event.kind === 'info') emit(listening, infoEvent.name, {});
      if (event.kind === 'mapLayers') emit(listening, mapLayersEvent.name, {});
      if (event.kind === 'demoExpired') emit(listening, demoExpiredEvent.name, {});
      if (event.kind === 'concurrentUsers' && admin) {
        emit(listening, concurrentUsersEvent.name, { message: event.message });
      }
      if (event.kind === 'backups' && admin) emit(listening, backupsEvent.name, {});
      if (event.kind === 'backupFailed' && admin) {
        emit(listening, backupFailedEvent.name, { name: event.name, text: event.text });
      }
    }
  }

  /** A step of a mission's processing. */
  function sendFlow({ update }: Extract<Outgoing, { kind: 'flow' }>, { facts, sees, shown }: Batch): void {
    const item = facts.get(update.mission);
    if (item === undefined || item.deleted) return;
    const isShown = update.sensor === null || shown.has(update.sensor);
    for (const listening of audience.everyone()) {
      const knows = isShown || can(listening.actor, 'mission.update', item).allowed;
      if (knows && sees(listening, item)) emit(listening, missionUpdateEvent.name, update);
    }
  }

  function sendToUploader(
    { user, mission, text }: Extract<Outgoing, { kind: 'fileFailed' }>,
    { facts, sees }: Batch,
  ): void {
    const item = facts.get(mission);
    if (item === undefined || item.deleted) return;
    for (const listening of audience.of(user)) if (sees(listening, item)) emit(listening, errorEvent.name, { text });
  }

  function sendSearchHit({ user, hit }: Extract<Outgoing, { kind: 'searchHit' }>, { facts }: Batch): void {
    const item = facts.get(hit.missionId);
    for (const listening of audience.of(user)) {
      if (mayRead(listening.actor, item)) emit(listening, searchHitEvent.name, hit);
    }
  }

  function sendTo(user: string, name: string, payload: object): void {
    for (const listening of audience.of(user)) emit(listening, name, payload);
  }

  function sendItems(name: string, ids: readonly string[], { facts, sees }: Batch): void {
    for (const listening of audience.everyone()) {
      const seen = ids.filter((id) => sees(listening, facts.get(id)));
      if (seen.length > 0) emit(listening, name, { ids: seen });
    }
  }

  function sendUsergroups(ids: readonly string[]): void {
    for (const listening of audience.everyone()) {
      const seen = ids.filter((id) => knowsGroup(listening.actor, id));
      if (seen.length > 0) emit(listening, usergroupsEvent.name, { ids: seen });
    }
  }

  /** Admins learn of every account, groupAdmins of those that they see. */
  async function sendUsers(ids: readonly string[]): Promise<void> {
    const accounts = await accountFactsOf(db, ids);
    for (const listening of audience.everyone()) {
      const { actor } = listening;
      const sees = (account: AccountFacts) => can(actor, 'user.read', account).allowed;
      const seen = isAdmin(actor) ? [...ids] : accounts.filter(sees).map(({ id }) => id);
      if (seen.length > 0) emit(listening, usersEvent.name, { ids: seen });
    }
  }

  /**
   * Decided once for all sockets with the same rights, except for an item's maker. An item in the bin is reported with
   * its earlier facts.
   */
  function visibilityByKey(): Visibility {
    const decided = new Map<string, boolean>();
    return ({ actor, key }, facts) => {
      if (facts === undefined) return false;
      if (facts.authorId === actor.id) return items.maySee(actor, facts);
      const question = `${facts.id} ${key}`;
      const existing = decided.get(question) ?? items.maySee(actor, facts);
      decided.set(question, existing);
      return existing;
    };
  }

  function itemIdsOf(event: Outgoing): string[] {
    if (event.kind === 'flow') return [event.update.mission];
    if (event.kind === 'fileFailed') return [event.mission];
    if (event.kind === 'searchHit') return [event.hit.missionId];
    return event.kind === 'changed' && items.eventOf(event.noun) ? event.ids : [];
  }
}

/** Sensors that every reader of their mission sees: one in state Created is for those who may fill it. */
async function shownSensors(db: Kysely<Database>, events: readonly Outgoing[]): Promise<Set<string>> {
  const ids = new Set(events.flatMap((event) => (event.kind === 'flow' ? (event.update.sensor ?? []) : [])));
  if (ids.size === 0) return new Set();
  const rows = await asSystem(db, 'events')
    .selectFrom('sensors')
    .select('id')
    .where('id', 'in', [...ids])
    .where('state', '<>', 'Created')
    .execute();
  return new Set(rows.map(({ id }) => id));
}
