import { expect, it } from 'vitest';
import { checkEntry, checkRange, entryOf, shortTime } from './time-range.ts';

const NOW = Date.UTC(2026, 10, 4, 14, 52, 7) * 1000;
const us = (...parts: [number, number, number, number?, number?]) => Date.UTC(...parts) * 1000;

it('reads a day and a time of 24 hours as UTC', () => {
  expect(checkEntry({ day: '2026-11-03', clock: '22:05' }, 'start', NOW).timeUs).toBe(us(2026, 10, 3, 22, 5));
  expect(checkEntry({ day: '2026-11-03', clock: '9:05' }, 'start', NOW).timeUs).toBe(us(2026, 10, 3, 9, 5));
});

it('takes the whole day when no time is given, and now for the end of today', () => {
  expect(checkEntry({ day: '2026-11-03', clock: '' }, 'start', NOW).timeUs).toBe(us(2026, 10, 3));
  expect(checkEntry({ day: '2026-11-03', clock: '' }, 'end', NOW).timeUs).toBe(us(2026, 10, 4) - 1000);
  expect(checkEntry({ day: '2026-11-04', clock: '' }, 'end', NOW).timeUs).toBe(NOW);
});

it('holds the last minute whole, also after it was read back', () => {
  const end = checkEntry({ day: '2026-11-03', clock: '9:05' }, 'end', NOW).timeUs;

  expect(end).toBe(us(2026, 10, 3, 9, 6) - 1000);
  expect(checkEntry(entryOf(end), 'end', NOW).timeUs).toBe(end);
  expect(checkEntry({ day: '2026-11-04', clock: '14:52' }, 'end', NOW).timeUs).toBe(NOW);
});

it('refuses the future, other times than HH:mm, and a time without a day', () => {
  const problem = (day: string, clock: string) => checkEntry({ day, clock }, 'start', NOW).problem;

  expect(problem('2026-11-05', '00:00')).toBe('Times in the future cannot be chosen');
  expect(problem('2026-11-04', '14:53')).toBe('Times in the future cannot be chosen');
  expect(problem('2026-11-03', '24:00')).toBe('Use HH:mm, 00:00 to 23:59');
  expect(problem('2026-11-03', '2 pm')).toBe('Use HH:mm, 00:00 to 23:59');
  expect(problem('', '10:00')).toBe('Choose a date');
  expect(problem('', '')).toBeNull();
});

it('refuses an end before the start', () => {
  const checked = checkRange({ day: '2026-11-03', clock: '10:00' }, { day: '2026-11-03', clock: '09:00' }, NOW);

  expect(checked.problems.end).toBe('End must be after start');
  expect(checked.valid).toBe(false);
});

it('writes a moment as it was entered', () => {
  expect(entryOf(us(2026, 10, 3, 9, 5))).toEqual({ day: '2026-11-03', clock: '09:05' });
  expect(shortTime(us(2026, 10, 3))).toBe('Nov 03 2026');
  expect(shortTime(us(2026, 10, 3, 9, 5))).toBe('Nov 03 2026, 09:05');
});
