import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { EXPORT_TICKET_MS } from '@osprey/contract';

/** Maximum number of unused tickets: enough for all users, and little memory. */
const WAITING_MAX = 10_000;

type Opened = { exportId: string; session: string };

/**
 * Issues tickets for downloads. Each ticket starts one export once, for the session it was issued to. Tickets are
 * signed, so that the session can continue a download even if the server was restarted and no longer knows the ticket.
 */
export function exportTickets({ key, nowMs }: { key: Buffer; nowMs: () => number }) {
  /** Time until which each ticket may start a download. */
  const waiting = new Map<string, number>();
  const signed = (name: string, { exportId, session }: Opened) =>
    `${name}.${createHmac('sha256', key)
      .update(JSON.stringify([name, exportId, session]))
      .digest('base64url')}`;

  return {
    give(exportId: string, session: string): string {
      const [oldest] = waiting.size >= WAITING_MAX ? waiting.keys() : [];
      if (oldest !== undefined) waiting.delete(oldest);
      const ticket = signed(randomBytes(24).toString('base64url'), { exportId, session });
      waiting.set(ticket, nowMs() + EXPORT_TICKET_MS);
      return ticket;
    },
    /** Whether a ticket gives access to this export. A download that was started with it may be continued later. */
    opens(ticket: string, { goesOn, ...asked }: Opened & { goesOn: boolean }): boolean {
      if (!isSame(ticket, signed(ticket.split('.', 1)[0] ?? '', asked))) return false;
      const untilMs = waiting.get(ticket) ?? Number.NEGATIVE_INFINITY;
      waiting.delete(ticket);
      return goesOn || nowMs() <= untilMs;
    },
  };
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
