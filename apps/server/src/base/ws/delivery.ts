import {
  type AccessFacts,
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
  messageEvent,
  missionsEvent,
  missionUpdateEvent,
  platformsEvent,
  revokedEvent,
  updateDocumentsEvent,
  usergroupsEvent,
  usersEvent,
} from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { accountFactsOf } from '../access/account-visibility.ts';
import { actorsById } from '../access/actors.ts';
import { itemsOf, type OpenReads } from '../access/open-reads.ts';
import { platformFacts } from '../access/platform-facts.ts';
import {
  type EventFacts,
  eventFacts,
  factsBefore,
  type ItemNotice,
  itemOfNotice,
  mayRead,
  maySee,
  type RightsNotice,
} from '../access/rights-notice.ts';
import {
  asSystem,
  documentVisibleTo,
  platformVisibleTo,
  visible,
  visibleDocuments,
  visiblePlatforms,
  visibleTo,
} from '../access/visibility.ts';
import type { Database } from '../db/schema.ts';
import { type Audience, actorBefore, type ChangedAccount, type Listener, type Listening } from './audience.ts';
import type { Outgoing } from './outgoing.ts';

/** More lost items of one noun than this are not named: the page forgets all that it read of it. */
const LOST_MAX = 2000;
const lostNouns = ['missions', 'documents', 'platforms'] as const;

export type DeliveryDeps = {
  db: Kysely<Database>;
  audience: Audience;
  reads: OpenReads;
  /** A test takes fewer. */
  lostMax?: number;
};

/** A step of a mission's processing, with who may know of it. */
type Flowing = { event: Extract<Outgoing, { kind: 'flow' }>; sees: Sight; shown: ReadonlySet<string> };

type Sight = (listening: Listening, facts: EventFacts | undefined) => boolean;

/**
 * Works off one batch of notices: first what somebody has lost, then what happened. Rights are read from the rows at
 * this moment, so an event that was queued before a revocation does not go out after it.
 */
export function delivery({ db, audience, reads, lostMax = LOST_MAX }: DeliveryDeps) {
  return async function deliver(rights: readonly RightsNotice[], events: readonly Outgoing[]): Promise<void> {
    for (const notice of rights) if ('credential' in notice) closeCredential(notice.credential);
    const notices = rights.filter((notice): notice is ItemNotice => 'mission' in notice || 'document' in notice);
    const ids = new Set([...notices.map(itemOfNotice), ...events.flatMap(itemIdsOf)]);
    // Facts before accounts: a right lost in between is then seen.
    const facts = await eventFacts(db, [...ids]);
    const changed = await audience.refresh();
    if (rights.length > 0) await closeLostReads(rights, facts);
    await tellLost(changed, notices, facts);
    await tellEvents(events, facts);
  };

  function closeCredential(credentialId: string): void {
    audience.closeCredential(credentialId);
    reads.closeWhere((read) => read.credentialId === credentialId);
  }

  async function closeLostReads(rights: readonly RightsNotice[], facts: Map<string, EventFacts>): Promise<void> {
    if (reads.size() === 0) return;
    const users = new Set(rights.flatMap((notice) => ('user' in notice ? [notice.user] : [])));
    const touched = new Set([
      ...facts.keys(),
      ...rights.flatMap((notice) => ('platform' in notice ? notice.platform : [])),
    ]);
    const all = new Map(facts);
    const accounts: Awaited<ReturnType<typeof actorsById>> = new Map();
    const [askedItems, askedUsers] = [new Set(facts.keys()), new Set<string>()];
    for (;;) {
      const items = [...reads.itemsOf(users), ...reads.itemsWith(touched)].filter((id) => !askedItems.has(id));
      const people = [...reads.users()].filter((id) => !askedUsers.has(id));
      // Of what is opened while rows are read nothing is known yet, which is not the same as a right that was lost.
      if (items.length === 0 && people.length === 0) break;
      for (const id of items) askedItems.add(id);
      for (const id of people) askedUsers.add(id);
      for (const [id, fact] of await eventFacts(db, items)) all.set(id, fact);
      for (const [id, account] of await actorsById(db, people)) accounts.set(id, account);
    }
    reads.closeWhere((read) => {
      // A download is begun again by a program that has the new password.
      if (users.has(read.userId) && read.credentialId === null) return true;
      const items = itemsOf(read);
      if (!users.has(read.userId) && !items.some((id) => touched.has(id))) return false;
      const actor = accounts.get(read.userId)?.actor;
      return actor === undefined || !items.every((id) => mayRead(actor, all.get(id)));
    });
  }

  async function tellLost(
    changed: Map<string, ChangedAccount>,
    notices: readonly ItemNotice[],
    facts: Map<string, EventFacts>,
  ): Promise<void> {
    const before = beforeAll(notices, facts);
    for (const listening of [...audience.everyone()]) {
      const account = changed.get(listening.actor.id);
      const old = account?.before ?? listening.actor;
      const now = account ? account.now : listening.actor;
      const lost = { missions: new Set<string>(), documents: new Set<string>(), platforms: new Set<string>() };
      for (const [id, was] of before) {
        if (!mayRead(old, was)) continue;
        if (!(now && mayRead(now, facts.get(id)))) lost[was.noun].add(id);
      }
      // One more than may be named shows that there are too many.
      if (account?.now) await addOutOfSight(db, { before: account.before, now: account.now, limit: lostMax + 1 }, lost);
      for (const noun of lostNouns) {
        const ids = [...lost[noun]];
        if (ids.length > lostMax) emit(listening, revokedEvent.name, { noun, ids: [], all: true });
        else if (ids.length > 0) emit(listening, revokedEvent.name, { noun, ids });
      }
      if (account) emit(listening, revokedEvent.name, { noun: 'session', ids: [listening.actor.id] });
      if (account) for (const listener of [...listening.listeners]) if (outlives(listener, account)) listener.close();
    }
  }

  async function tellEvents(events: readonly Outgoing[], facts: Map<string, EventFacts>): Promise<void> {
    const sees = sightByKey();
    const platforms = events.filter((event) => event.kind === 'platforms');
    const platformNow = await platformFacts(
      db,
      platforms.map(({ id }) => id),
    );
    for (const event of platforms) tellPlatform(event, platformNow.get(event.id));
    const shown = await shownSensors(db, events);
    for (const event of events) {
      if (event.kind === 'info') for (const listening of audience.everyone()) emit(listening, infoEvent.name, {});
      tellInstallation(event);
      const addressee = event.kind === 'message' ? audience.of(event.user) : undefined;
      if (event.kind === 'message' && addressee) emit(addressee, messageEvent.name, { text: event.text });
      if (event.kind === 'flow') tellFlow({ event, sees, shown }, facts);
      if (event.kind === 'fileFailed') tellUploader(event, facts, sees);
      if (event.kind === 'changed' && event.noun === 'missions') tellItems(missionsEvent.name, event.ids, facts, sees);
      if (event.kind === 'changed' && event.noun === 'documents') {
        tellItems(updateDocumentsEvent.name, event.ids, facts, sees);
      }
      if (event.kind === 'changed' && event.noun === 'usergroups') tellUsergroups(event.ids);
      if (event.kind === 'changed' && event.noun === 'users') await tellUsers(event.ids);
    }
  }

  /** What concerns no item: the licence and the backups. */
  function tellInstallation(event: Outgoing): void {
    for (const listening of audience.everyone()) {
      const admin = isAdmin(listening.actor);
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

  function tellFlow({ event: { update }, sees, shown }: Flowing, facts: Map<string, EventFacts>) {
    const item = facts.get(update.mission);
    if (item === undefined || item.deleted) return;
    const isShown = update.sensor === null || shown.has(update.sensor);
    for (const listening of audience.everyone()) {
      const knows = isShown || can(listening.actor, 'mission.update', item).allowed;
      if (knows && sees(listening, item)) emit(listening, missionUpdateEvent.name, update);
    }
  }

  function tellUploader(event: Extract<Outgoing, { kind: 'fileFailed' }>, facts: Map<string, EventFacts>, sees: Sight) {
    const listening = audience.of(event.user);
    const item = facts.get(event.mission);
    if (listening === undefined || item === undefined || item.deleted || !sees(listening, item)) return;
    emit(listening, errorEvent.name, { text: event.text });
  }

  function tellItems(name: string, ids: readonly string[], facts: Map<string, EventFacts>, sees: Sight): void {
    for (const listening of audience.everyone()) {
      const seen = ids.filter((id) => sees(listening, facts.get(id)));
      if (seen.length > 0) emit(listening, name, { ids: seen });
    }
  }

  /** Who sees it is told to ask again, who saw it to forget it. */
  function tellPlatform({ id, was }: Extract<Outgoing, { kind: 'platforms' }>, now: AccessFacts | undefined): void {
    const sees = (actor: Actor, facts: AccessFacts | null | undefined) =>
      facts && can(actor, 'platform.read', facts).allowed;
    for (const listening of audience.everyone()) {
      // A usergroup that was deleted takes its members' rights with the same commit; they may have been told first.
      const before = actorBefore(listening);
      if (sees(listening.actor, now)) emit(listening, platformsEvent.name, { ids: [id] });
      else if (sees(before, was && { ...was, draft: false })) {
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

function beforeAll(notices: readonly ItemNotice[], facts: Map<string, EventFacts>): Map<string, EventFacts> {
  const byItem = Map.groupBy(notices, itemOfNotice);
  return new Map(
    [...byItem].flatMap(([id, own]) => {
      const now = facts.get(id);
      return now ? [[id, factsBefore(now, own)] as const] : [];
    }),
  );
}

/** The password alone has no credential whose end could be told: its program asks for another ticket. */
const outlives = ({ credentialId }: Listener, { now }: ChangedAccount): boolean =>
  now === null || credentialId === null;

/** Decided once for all sockets that see the same. One in the bin is told of like before. */
function sightByKey(): Sight {
  const decided = new Map<string, boolean>();
  return ({ actor, key }, facts) => {
    if (facts === undefined) return false;
    const question = `${facts.id} ${key}`;
    const known = decided.get(question) ?? maySee(actor, facts);
    decided.set(question, known);
    return known;
  };
}

type Lost = Record<(typeof lostNouns)[number], Set<string>>;

/** What the account saw with its old rights and does not see with the new ones. */
async function addOutOfSight(
  db: Kysely<Database>,
  { before, now, limit }: { before: Actor; now: Actor; limit: number },
  lost: Lost,
): Promise<void> {
  const missions = await visible(db, before)
    .where(sql<boolean>`not ${visibleTo(now)}`)
    .select('missions.id')
    .limit(limit)
    .execute();
  const documents = await visibleDocuments(db, before)
    .where(sql<boolean>`not ${documentVisibleTo(now)}`)
    .select('documents.id')
    .limit(limit)
    .execute();
  const platforms = await visiblePlatforms(db, before)
    .where(sql<boolean>`not ${platformVisibleTo(now)}`)
    .select('platforms.id')
    .limit(limit)
    .execute();
  for (const { id } of missions) lost.missions.add(id);
  for (const { id } of documents) lost.documents.add(id);
  for (const { id } of platforms) lost.platforms.add(id);
}

function itemIdsOf(event: Outgoing): string[] {
  if (event.kind === 'flow') return [event.update.mission];
  if (event.kind === 'fileFailed') return [event.mission];
  const isOfItems = event.kind === 'changed' && (event.noun === 'missions' || event.noun === 'documents');
  return isOfItems ? event.ids : [];
}

function emit({ listeners }: Listening, name: string, payload: object): void {
  for (const listener of listeners) listener.emit(name, payload);
}
