import { expect, it } from 'vitest';
import { momentOf, momentText } from './moments.ts';

const near = Date.UTC(2026, 5, 1, 22, 30) * 1000;
const at = (...parts: [number, number, number, number, number, number?]) => Date.UTC(...parts) * 1000;

it.each([
  ['22:45:12.5', at(2026, 5, 1, 22, 45, 12) + 500_000],
  ['22:45', at(2026, 5, 1, 22, 45, 0)],
  ['9:05:00Z', at(2026, 5, 2, 9, 5, 0)],
  ['00:10:00', at(2026, 5, 2, 0, 10, 0)],
  ['2026-06-03 01:00:00.000001', at(2026, 5, 3, 1, 0, 0) + 1],
  ['22:29:00', at(2026, 5, 1, 22, 29, 0)],
  ['25:00:00', null],
  ['22:61:00', null],
  ['soon', null],
  ['', null],
])('reads %s', (text, timeUs) => {
  expect(momentOf(text, near)).toBe(timeUs);
});

it('writes what it reads, with the date on another day alone', () => {
  const [same, next] = [near + 1_250_000, near + 7_200_000_000];
  expect([momentText(same, near), momentText(next, near)]).toEqual(['22:30:01.250', '2026-06-02 00:30:00.000']);
  expect([momentOf(momentText(same, near), near), momentOf(momentText(next, near), near)]).toEqual([same, next]);
});
