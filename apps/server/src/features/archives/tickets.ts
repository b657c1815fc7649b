import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { EXPORT_TICKET_MS } from '@osprey/contract';

/** Tickets that wait to be used: enough for everybody, few enough to be no burden. */
const WAITING_MAX = 10_000;

type Opened = { exportId: string; session: string };

/**
 * Tickets for downloads: each begins one export, once, for the session it was given to. Each is signed, so that a
 * download goes on for that session even if the server was restarted and has forgotten it.
 */
export function exportTickets({ key, nowMs }: { key: Buffer; nowMs: () => number }) {
  /** Until when each may begin a download. */
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
    /** Whether it opens this export. A download that was begun with it may be gone on with. */
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
