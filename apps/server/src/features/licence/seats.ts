import { type Actor, isAdmin } from '@osprey/contract';

/** How long an account without an open page keeps its place after its last request. */
const IDLE_MS = 60_000;
/** Admins are notified of refusals at most this often. */
const NOTIFY_MS = 60_000;

export type Seats = ReturnType<typeof seats>;

export type SeatsDeps = {
  /** Accounts at once besides admins; null for any number. */
  limit: () => number | null;
  /** Whether the account has an open page. */
  isOnline: (userId: string) => boolean;
  nowMs: () => number;
  onRefused: (message: string) => void;
};

/**
 * Places of a licence, by account: all sessions and sockets of one account take one. SuperAdmin and admin need none, so
 * that they always get in to put things right. An account with a place keeps it when the limit falls.
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
     * Takes or keeps the place of an account; false when all are taken by others. Admins are notified of a person who signs
     * in: a page that looks for its session, or for a guest's, is opened by anybody.
     */
    admit(actor: Actor, { signsIn }: { signsIn: boolean }): boolean {
      if (isAdmin(actor)) return true;
      const most = limit();
      if (most !== null && !(seen.has(actor.id) && isTaken(actor.id)) && count() >= most) {
        if (signsIn && actor.role !== 'guest' && nowMs() - reportedMs > NOTIFY_MS) {
          reportedMs = nowMs();
          onRefused(`${count()} of ${most} places are taken`);
        }
        return false;
      }
      seen.set(actor.id, nowMs());
      return true;
    },

    /** Logged out: the place is free unless another page of the account is open. */
    leave(userId: string): void {
      if (!isOnline(userId)) seen.delete(userId);
    },

    count,
  };
}
