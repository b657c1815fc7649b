import {
  type AccountFacts,
  type Actor,
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
  platformsEvent,
  revokedEvent,
  searchHitEvent,
  usergroupsEvent,
  usersEvent,
} from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { accountFactsOf } from '../access/account-visibility.ts';
import { actorsById } from '../access/actors.ts';
import { asSystem } from '../access/as-system.ts';
import { itemsOf, type OpenReads } from '../access/open-reads.ts';
import type { Database } from '../db/schema.ts';
import type { StoredFacts } from '../items/facts.ts';
import type { Items } from '../items/items.ts';
import { factsBefore, type NoticedItem, type RightsNotice } from '../items/notice.ts';
import { items as productItems } from '../items/product.ts';
import { visibleRows, visibleTo } from '../items/visible.ts';
import { type Audience, actorBefore, type ChangedAccount, type Listener, type Listening } from './audience.ts';
import type { Outgoing } from './outgoing.ts';

/** More lost items of one noun than this are not named: the page forgets all that it read of it. */
const LOST_MAX = 2000;

export type DeliveryDeps = {
  db: Kysely<Database>;
  audience: Audience;
  reads: OpenReads;
  items?: Items;
  /** A test takes fewer. */
  lostMax?: number;
};

/** A step of a mission's processing, with who may know of it. */
type Flowing = { event: Extract<Outgoing, { kind: 'flow' }>; sees: Sight; shown: ReadonlySet<string> };

type Sight = (listening: Listening, facts: StoredFacts | undefined) => boolean;

/**
 * Works off one batch of notices: first lost rights, then events. Rights are read from the rows at this moment, so an
 * event that was queued before a revocation does not go out after it.
 */
export function delivery({ db, audience, reads, items = productItems, lostMax = LOST_MAX }: DeliveryDeps) {
  const { mayRead } = items;

  return async function deliver(rights: readonly RightsNotice[], events: readonly Outgoing[]): Promise<void> {
    for (const notice of rights) if ('credential' in notice) closeCredential(notice.credential);
    const noticed = rights.flatMap((notice) => items.itemOfNotice(notice) ?? []);
    const ids = new Set([...noticed.map(({ id }) => id), ...events.flatMap(itemIdsOf)]);
    // Facts before accounts: a right lost in between is then seen.
    const facts = await items.factsById(db, [...ids]);
    const changed = await audience.refresh();
    if (rights.length > 0) await closeLostReads(rights, ids, facts);
    await tellLost(changed, noticed, facts);
    await tellEvents(events, facts);
  };

  function closeCredential(credentialId: string): void {
    audience.closeCredential(credentialId);
    reads.closeWhere((read) => read.credentialId === credentialId);
  }

  async function closeLostReads(
    rights: readonly RightsNotice[],
    touched: ReadonlySet<string>,
    facts: Map<string, StoredFacts>,
  ): Promise<void> {
    if (reads.size() === 0) return;
    const users = new Set(rights.flatMap((notice) => ('user' in notice ? [notice.user] : [])));
    const all = new Map(facts);
    const accounts: Awaited<ReturnType<typeof actorsById>> = new Map();
    const [askedItems, askedUsers] = [new Set(facts.keys()), new Set<string>()];
    for (;;) {
      const lookedAt = [...reads.itemsOf(users), ...reads.itemsWith(touched)].filter((id) => !askedItems.has(id));
      const people = [...reads.users()].filter((id) => !askedUsers.has(id));
      // The rights of a stream that is opened while rows are read are not known yet, which differs from a lost right.
      if (lookedAt.length === 0 && people.length === 0) break;
      for (const id of lookedAt) askedItems.add(id);
      for (const id of people) askedUsers.add(id);
      for (const [id, fact] of await items.factsById(db, lookedAt)) all.set(id, fact);
      for (const [id, account] of await actorsById(db, people)) accounts.set(id, account);
    }
    reads.closeWhere((read) => {
      // A download is begun again by a program that has the new password.
      if (users.has(read.userId) && read.credentialId === null) return true;
      const own = itemsOf(read);
      if (!users.has(read.userId) && !own.some((id) => touched.has(id))) return false;
      const actor = accounts.get(read.userId)?.actor;
      return actor === undefined || !own.every((id) => mayRead(actor, all.get(id)));
    });
  }

  async function tellLost(
    changed: Map<string, ChangedAccount>,
    noticed: readonly NoticedItem[],
    facts: Map<string, StoredFacts>,
  ): Promise<void> {
    const before = beforeAll(noticed, facts);
    for (const listening of [...audience.everyone()]) {
      const account = changed.get(listening.actor.id);
      const old = account?.before ?? listening.actor;
      const now = account ? account.now : listening.actor;
      const lost: Lost = new Map(items.kinds.map(({ item }) => [item, new Set()]));
      for (const [id, was] of before) {
        if (!mayRead(old, was)) continue;
        if (!(now && mayRead(now, facts.get(id)))) lost.get(was.item)?.add(id);
      }
      // Ids are read up to one more than a notice may name: then the notice says `all`.
      if (account?.now) await addOutOfSight({ before: account.before, now: account.now }, lost);
      for (const { item, noun } of items.kinds) {
        const ids = [...(lost.get(item) ?? [])];
        if (ids.length > lostMax) emit(listening, revokedEvent.name, { noun, ids: [], all: true });
        else if (ids.length > 0) emit(listening, revokedEvent.name, { noun, ids });
      }
      if (account) emit(listening, revokedEvent.name, { noun: 'session', ids: [listening.actor.id] });
      if (account) for (const listener of [...listening.listeners]) if (outlives(listener, account)) listener.close();
    }
  }

  async function tellEvents(events: readonly Outgoing[], facts: Map<string, StoredFacts>): Promise<void> {
    const sees = sightByKey();
    for (const event of events) if (event.kind === 'platforms') tellPlatform(event, facts.get(event.id));
    const shown = await shownSensors(db, events);
    for (const event of events) {
      tellInstallation(event);
      const addressee = event.kind === 'message' ? audience.of(event.user) : undefined;
      if (event.kind === 'message' && addressee) emit(addressee, messageEvent.name, { text: event.text });
      if (event.kind === 'flow') tellFlow({ event, sees, shown }, facts);
      if (event.kind === 'fileFailed') tellUploader(event, facts, sees);
      if (event.kind === 'searchHit') sendSearchHit(event, facts);
      const name = event.kind === 'changed' ? items.eventOf(event.noun) : undefined;
      if (event.kind === 'changed' && name) tellItems(name, event.ids, facts, sees);
      const kind = event.kind === 'changed' ? items.kindOfNoun(event.noun) : undefined;
      if (event.kind === 'changed' && kind?.deletedEvent) {
        const isDeleted = (id: string) => facts.get(id)?.deleted === true;
        tellItems(kind.deletedEvent, event.ids.filter(isDeleted), facts, sees);
      }
      if (event.kind === 'changed' && event.noun === 'usergroups') tellUsergroups(event.ids);
      if (event.kind === 'changed' && event.noun === 'users') await tellUsers(event.ids);
    }
  }

  /** Events that concern no item: the configuration, map layers, the licence and the backups. */
  function tellInstallation(event: Outgoing): void {
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

  function tellFlow({ event: { update }, sees, shown }: Flowing, facts: Map<string, StoredFacts>) {
    const item = facts.get(update.mission);
    if (item === undefined || item.deleted) return;
    const isShown = update.sensor === null || shown.has(update.sensor);
    for (const listening of audience.everyone()) {
      const knows = isShown || can(listening.actor, 'mission.update', item).allowed;
      if (knows && sees(listening, item)) emit(listening, missionUpdateEvent.name, update);
    }
  }

  function tellUploader(
    event: Extract<Outgoing, { kind: 'fileFailed' }>,
    facts: Map<string, StoredFacts>,
    sees: Sight,
  ) {
    const listening = audience.of(event.user);
    const item = facts.get(event.mission);
    if (listening === undefined || item === undefined || item.deleted || !sees(listening, item)) return;
    emit(listening, errorEvent.name, { text: event.text });
  }

  function sendSearchHit({ user, hit }: Extract<Outgoing, { kind: 'searchHit' }>, facts: Map<string, StoredFacts>) {
    const listening = audience.of(user);
    if (listening && mayRead(listening.actor, facts.get(hit.missionId))) emit(listening, searchHitEvent.name, hit);
  }

  function tellItems(name: string, ids: readonly string[], facts: Map<string, StoredFacts>, sees: Sight): void {
    for (const listening of audience.everyone()) {
      const seen = ids.filter((id) => sees(listening, facts.get(id)));
      if (seen.length > 0) emit(listening, name, { ids: seen });
    }
  }

  /** Readers are asked to read it again, former readers to forget it. */
  function tellPlatform({ id, was }: Extract<Outgoing, { kind: 'platforms' }>, now: StoredFacts | undefined): void {
    for (const listening of audience.everyone()) {
      // A deleted usergroup takes its members' rights with the same commit; their event may have come first.
      const before = actorBefore(listening);
      if (mayRead(listening.actor, now)) emit(listening, platformsEvent.name, { ids: [id] });
      else if (was && can(before, 'platform.read', { ...was, draft: false }).allowed) {
        emit(listening, revokedEvent.name, { noun: 'platforms', ids: [id] });
      }
    }
  }

  function tellUsergroups(ids: readonly string[]): void {
    for (const listening of audience.everyone()) {
      const own = new Set(listening.actor.groups.map(({ _id }) => _id));
      const seen = isAdmin(listening.actor) ? [...ids] : ids.filter((id) => own.has(id));
      if (seen.length > 0) emit(listening, usergroupsEvent.name, { ids: seen });
    }
  }

  /** Admins learn of every account, groupAdmins of those that they see. */
  async function tellUsers(ids: readonly string[]): Promise<void> {
    const accounts = await accountFactsOf(db, ids);
    for (const listening of audience.everyone()) {
      const { actor } = listening;
      const sees = (account: AccountFacts) => can(actor, 'user.read', account).allowed;
      const seen = isAdmin(actor) ? [...ids] : accounts.filter(sees).map(({ id }) => id);
      if (seen.length > 0) emit(listening, usersEvent.name, { ids: seen });
    }
  }

  /** Items that the account saw with its old rights and does not see with the new ones. */
  async function addOutOfSight({ before, now }: { before: Actor; now: Actor }, lost: Lost): Promise<void> {
    for (const kind of items.kinds) {
      const rows = await visibleRows(kind, db, before)
        .where(sql<boolean>`not ${visibleTo(kind, now)}`)
        .select('id')
        .limit(lostMax + 1)
        .execute();
      for (const { id } of rows) lost.get(kind.item)?.add(id);
    }
  }

  /**
   * Decided once for all sockets with the same rights, except for an item's maker. An item in the bin is reported with
   * its earlier facts.
   */
  function sightByKey(): Sight {
    const decided = new Map<string, boolean>();
    return ({ actor, key }, facts) => {
      if (facts === undefined) return false;
      if (facts.authorId === actor.id) return items.maySee(actor, facts);
      const question = `${facts.id} ${key}`;
      const known = decided.get(question) ?? items.maySee(actor, facts);
      decided.set(question, known);
      return known;
    };
  }

  function itemIdsOf(event: Outgoing): string[] {
    if (event.kind === 'flow') return [event.update.mission];
    if (event.kind === 'fileFailed') return [event.mission];
    if (event.kind === 'searchHit') return [event.hit.missionId];
    if (event.kind === 'platforms') return [event.id];
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

function beforeAll(noticed: readonly NoticedItem[], facts: Map<string, StoredFacts>): Map<string, StoredFacts> {
  const byId = Map.groupBy(noticed, ({ id }) => id);
  return new Map(
    [...byId].flatMap(([id, own]) => {
      const now = facts.get(id);
      return now
        ? [
            [
              id,
              factsBefore(
                now,
                own.map(({ change }) => change),
              ),
            ] as const,
          ]
        : [];
    }),
  );
}

/** Ids by the singular of their kind. */
type Lost = ReadonlyMap<string, Set<string>>;

/** A password alone has no credential that could end: its program asks for another ticket. */
const outlives = ({ credentialId }: Listener, { now }: ChangedAccount): boolean =>
  now === null || credentialId === null;

function emit({ listeners }: Listening, name: string, payload: object): void {
  for (const listener of listeners) listener.emit(name, payload);
}
