import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AuditNote } from '../../base/audit/request-audit.ts';
import { clockNotes } from './clock-notes.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

function world() {
  const clock = { us: 1.8e15, ms: 5000 };
  const rows: (string | undefined)[] = [];
  let isAway = false;
  const notes = clockNotes({
    async audit({ action, reason }: AuditNote) {
      if (isAway) throw new Error('away');
      rows.push(`${action}: ${reason}`);
    },
    nowUs: () => clock.us,
    nowMs: () => clock.ms,
    log: { warn: () => undefined },
  });
  return {
    rows,
    away: (now: boolean) => {
      isAway = now;
    },
    /** A second passes, and the clock of the wall moves by `setBySeconds` more. */
    async pass(setBySeconds = 0) {
      clock.ms += 1000;
      clock.us += 1e6 * (1 + setBySeconds);
      await vi.advanceTimersByTimeAsync(1000);
    },
    close: notes.close,
  };
}

it('T-083 a clock that is set by more than a minute has a row of the audit each time, one that is led slowly none', async () => {
  const { rows, pass, close } = world();
  for (let i = 0; i < 10; i += 1) await pass(i % 2 === 0 ? 59 : 8);
  expect(rows).toEqual([]);

  await pass(3600);
  await pass();
  await pass(-3600);
  await close();

  expect(rows).toEqual([
    'server.clock: The clock of the server was set ahead by 3600 s.',
    'server.clock: The clock of the server was set back by 3600 s.',
  ]);
});

it('a row that could not be kept is written later, once', async () => {
  const { rows, away, pass, close } = world();
  away(true);
  await pass(100);
  await pass();
  expect(rows).toEqual([]);

  away(false);
  await pass();
  await pass();
  await close();

  expect(rows).toEqual(['server.clock: The clock of the server was set ahead by 100 s.']);
});
