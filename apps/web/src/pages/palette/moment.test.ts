import { expect, it } from 'vitest';
import { parseMoment } from './moment.ts';

const us = (iso: string) => Date.parse(iso) * 1000;
const span = { startUs: us('2026-06-01T22:00:00Z'), endUs: us('2026-06-02T02:00:00Z') };

it.each([
  ['23:30', '2026-06-01T23:30:00Z'],
  ['22:00:01.5', '2026-06-01T22:00:01.500Z'],
  ['01:15z', '2026-06-02T01:15:00Z'],
  ['+90', '2026-06-01T22:01:30Z'],
  ['+2m', '2026-06-01T22:02:00Z'],
  ['+1h', '2026-06-01T23:00:00Z'],
  ['-30s', '2026-06-02T01:59:30Z'],
  ['2026-06-01 22:05', '2026-06-01T22:05:00Z'],
  ['2026-06-01T22:05:07Z', '2026-06-01T22:05:07Z'],
])('reads %s in the mission', (text, moment) => {
  expect(parseMoment(text, span)).toBe(us(moment));
});

it.each(['', 'ferry', '25:00', '12:61', '12', '+', '2026-13-45 10:00', '37.5 24.2'])(
  'takes %s for no moment',
  (text) => {
    expect(parseMoment(text, span)).toBeNull();
  },
);
