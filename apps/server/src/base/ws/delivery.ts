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

/** Maximum number of lost items listed per kind. Above it, the page is asked to discard everything of that kind. */
const LOST_MAX = 2000;

export type DeliveryDeps = {
  db: Kysely<Database>;
  audience: Audience;
  reads: OpenReads;
  items: Items;
  /** Waits for all notices of changes committed before the call, and returns those that arrived meanwhile. */
  receiveAll?: () => Promise<readonly RightsNotice[]>;
  /** Tests set a lower value. */
  lostMax?: number;
};

/**
 * Data read once for all events of a batch. `shown` contains the ids of sensors that every reader of their mission may
 * see.
 */
type Batch = { facts: ReadonlyMap<string, StoredFacts>; sees: Visibility; shown: ReadonlySet<string> };

type Visibility = (listening: Listening, facts: StoredFacts | undefined) => boolean;

/**
 * Processes one batch of notices and events: first lost rights, then events. Rights are read from the database at this
 * moment, so that an event queued before a revocation is not sent after it.
 *
 * The rows show a transaction as a whole, but its notices may arrive in several batches. Therefore, before it is
 * decided what a page lost, all notices of the changes visible in the rows are awaited. The facts that a page saw
 * before are the current facts with all these changes undone.
 *
 * How notices and events get here: triggers and `outgoing.ts` send them on the database's channels, the hub collects
 * those it receives into a batch, and this module sends it. `lost-rights.ts` ends what is no longer allowed, and
 * `audience.ts` keeps the list of open sockets.
 */
export function delivery(deps: DeliveryDeps) {
  const { db, audience, reads, items, lostMax = LOST_MAX, receiveAll = async () => [] } = deps;
  const { mayRead } = items;
  const lost = lostRights({ db, audience, reads, items, lostMax });

  const noticedBy = (rights: readonly RightsNotice[]) => rights.flatMap((notice) => items.itemOfNotice(notice) ?? []);

  /**
   * Delivers a batch. Returns the notices of changes that are not in the snapshot that was read; they belong to the
   * next batch.
   */
  return async function deliver(
    rights: readonly RightsNotice[],
    events: readonly Outgoing[],
  ): Promise<readonly RightsNotice[]> {
    const ofEvents = events.flatMap(itemIdsOf);
    await endReads(rights, ofEvents);
    if (rights.length === 0) {
      // Facts are read before accounts, so that a right lost in between is noticed.
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

  /** Whether the snapshot that was read includes the change of a notice. */
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

  /** Sends changes of accounts: admins receive all of them, groupAdmins those of accounts they may see. */
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
   * Returns a function that decides once for all sockets with the same rights, except for an item's author. For an item
   * in the bin, the facts from before its deletion count.
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

/**
 * Returns the sensors that every reader of their mission may see. Sensors in state Created are visible only to users
 * who may upload to them.
 */
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
