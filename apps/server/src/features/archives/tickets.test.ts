import { EXPORT_TICKET_MS } from '@osprey/contract';
import { beforeEach, expect, it } from 'vitest';
import { exportTickets } from './tickets.ts';

const key = Buffer.alloc(32, 7);
const asked = { exportId: 'export', session: 'session' };
let now = 0;
const nowMs = () => now;
beforeEach(() => {
  now = 0;
});

it('begins a download once, within its time, for its export and session', () => {
  const tickets = exportTickets({ key, nowMs });
  const give = () => tickets.give(asked.exportId, asked.session);
  const begins = (ticket: string, more = {}) => tickets.opens(ticket, { ...asked, goesOn: false, ...more });

  expect([begins(give(), { exportId: 'other' }), begins(give(), { session: 'other' })]).toEqual([false, false]);
  expect(begins(`${give()}A`)).toBe(false);
  const ticket = give();
  expect([begins(ticket), begins(ticket)]).toEqual([true, false]);
  const late = give();
  now += EXPORT_TICKET_MS + 1;
  expect(begins(late)).toBe(false);
});

it('lets what was begun go on for its session alone, also after the server was started again', () => {
  const ticket = exportTickets({ key, nowMs }).give(asked.exportId, asked.session);
  const again = exportTickets({ key, nowMs });
  const goesOn = (more = {}) => again.opens(ticket, { ...asked, goesOn: true, ...more });
  now += 24 * 3_600_000;

  expect(again.opens(ticket, { ...asked, goesOn: false })).toBe(false);
  expect([goesOn(), goesOn(), goesOn()]).toEqual([true, true, true]);
  expect([goesOn({ session: 'other' }), goesOn({ exportId: 'other' })]).toEqual([false, false]);
  expect(exportTickets({ key: Buffer.alloc(32, 8), nowMs }).opens(ticket, { ...asked, goesOn: true })).toBe(false);
});
