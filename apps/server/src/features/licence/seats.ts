import { type Actor, isAdmin } from '@osprey/contract';

/** Time for which an account without an open page keeps its place after its last request, in milliseconds. */
const IDLE_MS = 60_000;
/** Minimum interval between two notifications of admins about refusals. */
const NOTIFY_MS = 60_000;

export type Seats = ReturnType<typeof seats>;

export type SeatsDeps = {
  /** Maximum number of accounts signed in at the same time, not counting admins; null for no limit. */
  limit: () => number | null;
  /** Returns whether the account has an open page. */
  isOnline: (userId: string) => boolean;
  nowMs: () => number;
  onRefused: (message: string) => void;
};

/**
 * Places of a licence, counted by account: all sessions and sockets of an account share one. Accounts with role
 * superAdmin or admin need none, so that they can always sign in to fix problems. An account with a place keeps it if
 * the limit is lowered.
 */
export function seats({ limit, isOnline, nowMs, onRefused }: SeatsDeps) {
  const seen = new Map<string, number>();
  let reportedMs = Number.NEGATIVE_INFINITY;

  const isTaken = (id: string) => isOnline(id) || nowMs() - (seen.get(id) ?? Number.NEGATIVE_INFINITY) < IDLE_MS;

  function count(): number {
    for (const id of [...seen.keys()]) if (!isTaken(id)) seen.delete(id);
    return seen.size;
  }

  return {
    /**
     * Takes or keeps the place of an account; returns false if all are taken by others. Admins are notified only of
     * refused sign-ins of users, since a page that merely looks for an existing session, or for that of a guest, can be
     * opened by anyone.
     */
    admit(actor: Actor, { signsIn }: { signsIn: boolean }): boolean {
      if (isAdmin(actor)) return true;
      const seatsMax = limit();
      if (seatsMax !== null && !(seen.has(actor.id) && isTaken(actor.id)) && count() >= seatsMax) {
        if (signsIn && actor.role !== 'guest' && nowMs() - reportedMs > NOTIFY_MS) {
          reportedMs = nowMs();
          onRefused(`${count()} of ${seatsMax} places are taken`);
        }
        return false;
      }
      seen.set(actor.id, nowMs());
      return true;
    },

    /** Releases the place of an account at logout, unless another page of the account is open. */
    leave(userId: string): void {
      if (!isOnline(userId)) seen.delete(userId);
    },

    count,
  };
}
