import type { Actor, AisView } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { type Account, actorsById } from '../access/actors.ts';
import { viewKey } from '../access/open-reads.ts';
import type { Database } from '../db/schema.ts';

/** One open socket. */
export type Listener = {
  userId: string;
  credentialId: string | null;
  /** The place that its page reports: for display only, since it is not checked. */
  status: string | null;
  /** Ids of live platforms that its page asked to hear of, or `*`: a wish that opens nothing. */
  channels: Set<string>;
  /** The part of the map that its page shows ships on: a wish that opens nothing. */
  view: AisView;
  /** True while the socket has not yet received what was sent before. */
  isBehind: () => boolean;
  emit: (name: string, payload: object) => void;
  close: () => void;
};

export type Listening = {
  actor: Actor;
  epoch: number;
  key: string;
  listeners: Set<Listener>;
  /** Rights of the socket before their last change, and the performance.now() at which the change was seen. */
  earlier: { actor: Actor; atMs: number } | null;
};

/** An account whose rights are not what they were; `now` is null when it may do nothing any more. */
export type ChangedAccount = { before: Actor; now: Actor | null };

export type Audience = ReturnType<typeof audience>;

/** Listening accounts, with the rights last read from their rows. */
export function audience({ db }: { db: Kysely<Database> }) {
  const users = new Map<string, Listening>();

  return {
    join(listener: Listener, account: Account): void {
      const known = users.get(account.actor.id) ?? { ...shown(account), listeners: new Set<Listener>(), earlier: null };
      Object.assign(known, shown(account));
      known.listeners.add(listener);
      users.set(account.actor.id, known);
    },

    leave(listener: Listener): void {
      const known = users.get(listener.userId);
      known?.listeners.delete(listener);
      if (known?.listeners.size === 0) users.delete(listener.userId);
    },

    count: (): number => users.size,
    listenersOf: (userId: string): number => users.get(userId)?.listeners.size ?? 0,
    everyone: (): Iterable<Listening> => users.values(),
    of: (userId: string): Listening | undefined => users.get(userId),

    /** Open pages of one session, and where the newest of them says it is. */
    pagesOf(credentialId: string): { pages: number; status: string | null } {
      const own = [...users.values()].flatMap(({ listeners }) =>
        [...listeners].filter((listener) => listener.credentialId === credentialId),
      );
      return { pages: own.length, status: own.at(-1)?.status ?? null };
    },

    closeCredential(credentialId: string): void {
      for (const { listeners } of users.values()) {
        for (const listener of [...listeners]) if (listener.credentialId === credentialId) listener.close();
      }
    },

    /** Reads the rows of all accounts whose epoch has moved; one query when there are none. */
    async refresh(): Promise<Map<string, ChangedAccount>> {
      const ids = [...users.keys()];
      if (ids.length === 0) return new Map();
      const rows = await db.selectFrom('users').select(['id', 'epoch']).where('id', 'in', ids).execute();
      const epochs = new Map(rows.map(({ id, epoch }) => [id, epoch]));
      const moved = ids.filter((id) => users.get(id)?.epoch !== epochs.get(id));
      const accounts = await actorsById(db, moved);
      const changed = new Map<string, ChangedAccount>();
      for (const id of moved) {
        const known = users.get(id);
        if (known === undefined) continue;
        const account = accounts.get(id);
        changed.set(id, { before: known.actor, now: account?.actor ?? null });
        known.earlier = { actor: known.actor, atMs: performance.now() };
        if (account) Object.assign(known, shown(account));
      }
      return changed;
    },
  };
}

/** Events that are sent apart from a change of rights of the same commit follow it within this time. */
const TOGETHER_MS = 30_000;

/** Returns the rights with which the account may have seen the subject of this event. */
export function actorBefore({ actor, earlier }: Listening): Actor {
  return earlier !== null && performance.now() - earlier.atMs < TOGETHER_MS ? earlier.actor : actor;
}

const shown = ({ actor, epoch }: Account) => ({ actor, epoch, key: viewKey(actor) });

/** Sends an event to each page of an account. */
export function emit({ listeners }: Listening, name: string, payload: object): void {
  for (const listener of listeners) listener.emit(name, payload);
}
