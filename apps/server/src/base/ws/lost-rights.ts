import { type Actor, revokedEvent } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { actorsById, underCeiling } from '../access/actors.ts';
import type { Db } from '../access/as-system.ts';
import { itemsOf, type OpenReads } from '../access/open-reads.ts';
import type { Database } from '../db/schema.ts';
import type { StoredFacts } from '../items/facts.ts';
import type { Items } from '../items/items.ts';
import { factsBefore, type NoticedItem, type RightsNotice } from '../items/notice.ts';
import { columnOf, visibleRows, visibleTo } from '../items/visible.ts';
import { type Audience, type ChangedAccount, emit, type Listener, type Listening } from './audience.ts';

type Deps = { db: Kysely<Database>; audience: Audience; reads: OpenReads; items: Items; lostMax: number };

/** Changes between two moments, and the items of the notices as they are at the later one, by id. */
type Change = {
  noticed: readonly NoticedItem[];
  facts: ReadonlyMap<string, StoredFacts>;
  accounts: ReadonlyMap<Listening, ChangedAccount>;
};

/**
 * Ends access that lost rights no longer allow: first open reads, then what pages show, through the event `revoked`.
 * For an account whose own rights changed, all items are compared; for other accounts, only the items of the notices.
 */
export function lostRights({ db, audience, reads, items, lostMax }: Deps) {
  const { mayRead } = items;

  /** Closes reads that the current rights no longer allow, whatever else the transaction changes. */
  async function closeReads(rights: readonly RightsNotice[], touched: ReadonlySet<string>): Promise<void> {
    if (reads.size() === 0) return;
    const users = new Set(rights.flatMap((notice) => ('user' in notice ? [notice.user] : [])));
    const all = new Map<string, StoredFacts>();
    const accounts: Awaited<ReturnType<typeof actorsById>> = new Map();
    const [askedItems, askedUsers] = [new Set<string>(), new Set<string>()];
    for (;;) {
      const lookedAt = [...reads.itemsOf(users), ...reads.itemsWith(touched)].filter((id) => !askedItems.has(id));
      const people = [...reads.users()].filter((id) => !askedUsers.has(id));
      // Repeat until nothing new appears: the rights of a stream opened while rows are being read are not known yet,
      // which must not be mistaken for a lost right.
      if (lookedAt.length === 0 && people.length === 0) break;
      for (const id of lookedAt) askedItems.add(id);
      for (const id of people) askedUsers.add(id);
      for (const [id, fact] of await items.factsById(db, lookedAt)) all.set(id, fact);
      for (const [id, account] of await actorsById(db, people)) accounts.set(id, account);
    }
    reads.closeWhere((read) => {
      // Reads opened with a password always end. A program that has the new password can start the download again.
      if (users.has(read.userId) && read.credentialId === null) return true;
      const own = itemsOf(read);
      if (!users.has(read.userId) && !own.some((id) => touched.has(id))) return false;
      const account = accounts.get(read.userId);
      if (account === undefined) return true;
      const { actor } = underCeiling(account, read.ceiling);
      return !own.every((id) => mayRead(actor, all.get(id)));
    });
  }

  /** `at` is the snapshot in which the change was read. */
  async function sendRevoked(at: Db, { accounts, noticed, facts }: Change): Promise<void> {
    const before = statesBefore(noticed, facts);
    for (const listening of [...audience.everyone()]) {
      const account = accounts.get(listening);
      const old = account?.before ?? listening.actor;
      const now = account ? account.now : listening.actor;
      const lost: Lost = new Map(items.kinds.map(({ item }) => [item, new Set()]));
      for (const [id, states] of before) {
        // The item may have become visible before the account's own rights changed; it was then seen with its current
        // facts.
        const wasSeen = sawOneOf(states, old, now) || mayRead(old, facts.get(id));
        if (wasSeen && !(now && mayRead(now, facts.get(id)))) lost.get(states[0].item)?.add(id);
      }
      // At most one id more than an event may list is read; the event then states `all`.
      if (account?.now)
        await addNoLongerVisible(at, { before: account.before, now: account.now }, [...before.keys()], lost);
      for (const { item, noun } of items.kinds) {
        const ids = [...(lost.get(item) ?? [])];
        if (ids.length > lostMax) emit(listening, revokedEvent.name, { noun, ids: [], all: true });
        else if (ids.length > 0) emit(listening, revokedEvent.name, { noun, ids });
      }
      if (account) emit(listening, revokedEvent.name, { noun: 'session', ids: [listening.actor.id] });
      if (account) for (const listener of [...listening.listeners]) if (outlives(listener, account)) listener.close();
    }
  }

  /**
   * Whether the account saw the item in one of the earlier states. The account's own rights changed at one of these
   * moments, so from the second state on its new rights count as well.
   */
  function sawOneOf(states: readonly StoredFacts[], old: Actor, now: Actor | null): boolean {
    return states.some((was, place) => mayRead(old, was) || (place > 0 && now !== null && mayRead(now, was)));
  }

  /** Unchanged items that the account saw with its old rights and does not see with the new ones. */
  async function addNoLongerVisible(
    at: Db,
    { before, now }: { before: Actor; now: Actor },
    changed: readonly string[],
    lost: Lost,
  ): Promise<void> {
    for (const kind of items.kinds) {
      const rows = await visibleRows(kind, at, before)
        .where(sql<boolean>`not ${visibleTo(kind, now)}`)
        .where(sql<boolean>`${columnOf(kind, 'id')} <> all (${changed}::uuid[])`)
        .select('id')
        .limit(lostMax + 1)
        .execute();
      for (const { id } of rows) lost.get(kind.item)?.add(id);
    }
  }

  return {
    /** Ends the pages and reads of a credential that was revoked. */
    closeCredential(credentialId: string): void {
      audience.closeCredential(credentialId);
      reads.closeWhere((read) => read.credentialId === credentialId);
    },
    closeReads,
    sendRevoked,
  };
}

/** Returns the earlier facts of the items in the notices, by id. */
function statesBefore(
  noticed: readonly NoticedItem[],
  facts: ReadonlyMap<string, StoredFacts>,
): Map<string, [StoredFacts, ...StoredFacts[]]> {
  const before = new Map<string, [StoredFacts, ...StoredFacts[]]>();
  for (const [id, own] of Map.groupBy(noticed, (item) => item.id)) {
    const now = facts.get(id);
    const changes = own.map(({ change }) => change);
    const [first, ...others] = now ? factsBefore(now, changes) : [];
    if (first) before.set(id, [first, ...others]);
  }
  return before;
}

/** Ids by the singular of their kind. */
type Lost = ReadonlyMap<string, Set<string>>;

/**
 * Whether a socket must be closed after a change of its account: the account has no rights left, or the socket was
 * opened with a password. Such a socket has no credential that could be revoked; its program requests a new ticket.
 */
const outlives = ({ credentialId }: Listener, { now }: ChangedAccount): boolean =>
  now === null || credentialId === null;
