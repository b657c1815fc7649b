import { randomBytes } from 'node:crypto';
import { EXPORT_TICKET_MS } from '@osprey/contract';

/** Tickets in memory: enough for everybody, few enough to be no burden. */
const TICKETS_MAX = 10_000;

type Ticket = { exportId: string; session: string; expiresMs: number; used: boolean };

/** Tickets for downloads: each opens one export, once, for the session it was given to. */
export function exportTickets({ nowMs }: { nowMs: () => number }) {
  const tickets = new Map<string, Ticket>();
  return {
    give(exportId: string, session: string): string {
      const [oldest] = tickets.size >= TICKETS_MAX ? tickets.keys() : [];
      if (oldest !== undefined) tickets.delete(oldest);
      const ticket = randomBytes(24).toString('base64url');
      tickets.set(ticket, { exportId, session, expiresMs: nowMs() + EXPORT_TICKET_MS, used: false });
      return ticket;
    },
    /** Whether it opens this export. A download that was begun with it may be gone on with. */
    opens(ticket: string, asked: { exportId: string; session: string; goesOn: boolean }): boolean {
      const known = tickets.get(ticket);
      if (known === undefined || known.exportId !== asked.exportId || known.session !== asked.session) return false;
      if (known.used) return asked.goesOn;
      if (known.expiresMs < nowMs()) return false;
      known.used = true;
      return true;
    },
  };
}
