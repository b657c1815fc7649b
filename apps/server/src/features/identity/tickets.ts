import { createHash, randomBytes } from 'node:crypto';
import { type Classification, TICKET_MS } from '@osprey/contract';
import { ceilingOf } from '../../base/access/actors.ts';
import type { Session } from '../../base/http/session.ts';

const TICKETS_MAX = 100_000;

export type Ticket = {
  userId: string;
  credentialId: string | null;
  userEpoch: number;
  /** Highest label that the session may see. */
  ceiling: Classification;
  address: string;
};
export type Tickets = ReturnType<typeof ticketOffice>;

type TicketsDeps = {
  /** Returns whether a device credential is still valid. */
  isGood: (credentialId: string) => Promise<boolean>;
  nowMs: () => number;
};

/**
 * Tickets for opening sockets: valid once, for 30 s, and as long as their credential is. They are kept in memory, only
 * as hashes.
 */
export function ticketOffice({ isGood, nowMs }: TicketsDeps) {
  const open = new Map<string, Ticket & { expires: number }>();
  const keyOf = (ticket: string) => createHash('sha256').update(ticket).digest('base64');

  return {
    issue(session: Session, address: string): string {
      const { actor, credentialId, userEpoch } = session;
      if (actor === null) throw new Error('A ticket needs an actor');
      const ticket = randomBytes(32).toString('base64url');
      const [oldest] = open.size >= TICKETS_MAX ? open.keys() : [];
      if (oldest !== undefined) open.delete(oldest);
      const expires = nowMs() + TICKET_MS;
      const who = { userId: actor.id, credentialId, userEpoch, ceiling: ceilingOf(actor) };
      open.set(keyOf(ticket), { ...who, address, expires });
      return ticket;
    },

    /** Returns null for a ticket that was used, has expired or never existed, and for one whose session has ended. */
    async redeem(ticket: string): Promise<Ticket | null> {
      const key = keyOf(ticket);
      const found = open.get(key);
      open.delete(key);
      if (!found || found.expires <= nowMs()) return null;
      // Sockets already open are closed when the session ends; one opened after that would stay open, so check again.
      return found.credentialId === null || (await isGood(found.credentialId)) ? found : null;
    },
  };
}
