import { recordWindow } from '@osprey/contract';
import { expect, it } from 'vitest';
import { isScheduled } from './schedule.ts';

it.each([
  // 2026-06-01 is a Monday.
  ['Mon-Fri 06:00-18:00', '2026-06-01T05:59:59.999Z', false],
  ['Mon-Fri 06:00-18:00', '2026-06-01T06:00:00Z', true],
  ['Mon-Fri 06:00-18:00', '2026-06-05T17:59:59.999Z', true],
  ['Mon-Fri 06:00-18:00', '2026-06-05T18:00:00Z', false],
  ['Mon-Fri 06:00-18:00', '2026-06-06T12:00:00Z', false],
  ['Sun 00:00-24:00', '2026-06-06T23:59:59Z', false],
  ['Sun 00:00-24:00', '2026-06-07T00:00:00Z', true],
  ['Sun 00:00-24:00', '2026-06-07T23:59:59Z', true],
  ['Sun 00:00-24:00', '2026-06-08T00:00:00Z', false],
  // Round the end of the week.
  ['Sat-Mon 08:00-09:00', '2026-06-07T08:30:00Z', true],
  ['Sat-Mon 08:00-09:00', '2026-06-02T08:30:00Z', false],
  // Past midnight: named by the evening.
  ['Fri 22:00-02:00', '2026-06-05T23:00:00Z', true],
  ['Fri 22:00-02:00', '2026-06-06T01:59:00Z', true],
  ['Fri 22:00-02:00', '2026-06-06T02:00:00Z', false],
  ['Fri 22:00-02:00', '2026-06-05T01:00:00Z', false],
  ['Sat 22:00-02:00', '2026-06-07T01:00:00Z', true],
])('%s holds %s: %s', (window, at, expected) => {
  expect(recordWindow.safeParse(window).success).toBe(true);
  expect(isScheduled([window], Date.parse(at) * 1000)).toBe(expected);
});

it('is one of several windows, and none of none', () => {
  const at = Date.parse('2026-06-03T12:00:00Z') * 1000;

  expect(isScheduled(['Mon 06:00-18:00', 'Wed 06:00-18:00'], at)).toBe(true);
  expect(isScheduled([], at)).toBe(false);
});
