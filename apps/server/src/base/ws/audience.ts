import type { Actor, AisView, Classification } from '@osprey/contract';
import { type Account, actorsById, ceilingOf, underCeiling } from '../access/actors.ts';
import type { Db } from '../access/as-system.ts';
import { viewKey } from '../access/open-reads.ts';

/** One open socket. */
export type Listener = {
  userId: string;
  credentialId: string | null;
  /** Ceiling of the socket's session. */
  ceiling: Classification;
  /** The view that the page reports to be showing. It is not validated, so it is used for display only. */
  status: string | null;
  /** Ids of live platforms whose events the page requested, or `*` for all. A request grants no rights. */
  channels: Set<string>;
  /** Part of the map on which the page shows ships. The request grants no rights. */
  view: AisView;
  /** Returns true while the socket has not yet transmitted everything sent to it. */
  isBehind: () => boolean;
  emit: (name: string, payload: object) => void;
  close: () => void;
};

export type Listening = {
  actor: Actor;
  epoch: number;
  key: string;
  listeners: Set<Listener>;
};

/** An account whose rights changed, with the actor before and now; `now` is null if it has no rights left. */
export type ChangedAccount = { before: Actor; now: Actor | null };

/** Accounts whose rights changed, as they are now in the database; null for an account that has no rights left. */
export type MovedAccounts = ReadonlyMap<Listening, Account | null>;

export type Audience = ReturnType<typeof audience>;

/**
 * Accounts that have open sockets, with the rights last read from their rows. There is one entry for each ceiling of an
 * account's sessions.
 */
export function audience() {
  const sessions = new Map<string, Listening>();
  const keyOf = ({ userId, ceiling }: Listener) => `${userId} ${ceiling}`;
  const of = (userId: string): Listening[] => [...sessions.values()].filter(({ actor }) => actor.id === userId);

  return {
    join(listener: Listener, account: Account): void {
      // If the account has other open pages, their known rights are kept until the notices of a change are processed,
      // so that lost rights are detected for all of them.
      const existing = sessions.get(keyOf(listener)) ?? {
        ...shown(underCeiling(account, listener.ceiling)),
        listeners: new Set<Listener>(),
      };
      existing.listeners.add(listener);
      sessions.set(keyOf(listener), existing);
    },

    leave(listener: Listener): void {
      const existing = sessions.get(keyOf(listener));
      existing?.listeners.delete(listener);
      if (existing?.listeners.size === 0) sessions.delete(keyOf(listener));
    },

    userIds: (): Set<string> => new Set([...sessions.values()].map(({ actor }) => actor.id)),
    listenersOf: (userId: string): number => of(userId).reduce((sum, { listeners }) => sum + listeners.size, 0),
    everyone: (): Iterable<Listening> => sessions.values(),
    of,

    /** Returns the number of open pages of a session, and the status of the newest one. */
    pagesOf(credentialId: string): { pages: number; status: string | null } {
      const own = [...sessions.values()].flatMap(({ listeners }) =>
        [...listeners].filter((listener) => listener.credentialId === credentialId),
      );
      return { pages: own.length, status: own.at(-1)?.status ?? null };
    },

    closeCredential(credentialId: string): void {
      for (const { listeners } of sessions.values()) {
        for (const listener of [...listeners]) if (listener.credentialId === credentialId) listener.close();
      }
    },

    /**
     * Returns the accounts whose epoch has changed, with their current rights. Needs a single query if there are none.
     */
    async moved(db: Db): Promise<MovedAccounts> {
      const asked = [...sessions.values()];
      if (asked.length === 0) return new Map();
      const ids = [...new Set(asked.map(({ actor }) => actor.id))];
      const rows = await db.selectFrom('users').select(['id', 'epoch']).where('id', 'in', ids).execute();
      const epochs = new Map(rows.map(({ id, epoch }) => [id, epoch]));
      const moved = asked.filter(({ actor, epoch }) => epoch !== epochs.get(actor.id));
      const accounts = await actorsById(db, [...new Set(moved.map(({ actor }) => actor.id))]);
      return new Map(
        moved.map((existing) => {
          const read = accounts.get(existing.actor.id);
          return [existing, read ? underCeiling(read, ceilingOf(existing.actor)) : null];
        }),
      );
    },

    /** Stores the new rights of accounts. Returns those that still have an open page. */
    change(moved: MovedAccounts): Map<Listening, ChangedAccount> {
      const changed = new Map<Listening, ChangedAccount>();
      for (const [existing, account] of moved) {
        if (existing.listeners.size === 0) continue;
        changed.set(existing, { before: existing.actor, now: account?.actor ?? null });
        if (account) Object.assign(existing, shown(account));
      }
      return changed;
    },
  };
}

const shown = ({ actor, epoch }: Account) => ({ actor, epoch, key: viewKey(actor) });

/** Sends an event to each page of an account. */
export function emit({ listeners }: Listening, name: string, payload: object): void {
  for (const listener of listeners) listener.emit(name, payload);
}
