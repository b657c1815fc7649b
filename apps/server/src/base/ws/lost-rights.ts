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
 * Ends what lost rights no longer allow: open reads first, then what pages show, by the event `revoked`. An account whose
 * own rights changed is compared over all items, others over the items of the notices.
 */
export function lostRights({ db, audience, reads, items, lostMax }: Deps) {
  const { mayRead } = items;

  /** By the rights of now, whatever else a transaction changes. */
  async function closeReads(rights: readonly RightsNotice[], touched: ReadonlySet<string>): Promise<void> {
    if (reads.size() === 0) return;
    const users = new Set(rights.flatMap((notice) => ('user' in notice ? [notice.user] : [])));
    const all = new Map<string, StoredFacts>();
    const accounts: Awaited<ReturnType<typeof actorsById>> = new Map();
    const [askedItems, askedUsers] = [new Set<string>(), new Set<string>()];
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
      const account = accounts.get(read.userId);
      if (account === undefined) return true;
      const { actor } = underCeiling(account, read.ceiling);
      return !own.every((id) => mayRead(actor, all.get(id)));
    });
  }

  /** `at`: the moment that the change was read at. */
  async function sendRevoked(at: Db, { accounts, noticed, facts }: Change): Promise<void> {
    const before = statesBefore(noticed, facts);
    for (const listening of [...audience.everyone()]) {
      const account = accounts.get(listening);
      const old = account?.before ?? listening.actor;
      const now = account ? account.now : listening.actor;
      const lost: Lost = new Map(items.kinds.map(({ item }) => [item, new Set()]));
      for (const [id, states] of before) {
        // An item may have come to the account before the account's own rights changed: it was seen as it is now.
        const wasSeen = sawOneOf(states, old, now) || mayRead(old, facts.get(id));
        if (wasSeen && !(now && mayRead(now, facts.get(id)))) lost.get(states[0].item)?.add(id);
      }
      // Ids are read up to one more than a notice may name: then the notice says `all`.
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

  /** The account's own rights changed at one of these moments: those of now count after the first. */
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
    /** A credential was withdrawn: its pages and reads end. */
    closeCredential(credentialId: string): void {
      audience.closeCredential(credentialId);
      reads.closeWhere((read) => read.credentialId === credentialId);
    },
    closeReads,
    sendRevoked,
  };
}

/** Facts of the items of the notices at the moments before now, by id. */
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

/** A password alone has no credential that could end: its program asks for another ticket. */
const outlives = ({ credentialId }: Listener, { now }: ChangedAccount): boolean =>
  now === null || credentialId === null;
