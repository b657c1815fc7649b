import { describe, expect, it } from 'vitest';
import { backupNameOf, lastDue, nextDue } from './names.ts';

const us = (iso: string) => Date.parse(iso) * 1000;

describe('the time at which a backup is due', () => {
  it.each([
    ['2026-03-01T01:30:00Z', '2026-03-01T01:30:00Z'],
    ['2026-03-01T01:29:59Z', '2026-02-28T01:30:00Z'],
    ['2026-03-01T23:59:59Z', '2026-03-01T01:30:00Z'],
    ['2026-01-01T00:00:00Z', '2025-12-31T01:30:00Z'],
  ])('was last, at %s, %s, and is next a day later', (now, due) => {
    expect(lastDue('01:30', us(now))).toBe(us(due));
    expect(nextDue('01:30', us(now))).toBe(us(due) + 24 * 3600 * 1e6);
  });

  it('gives each backup a name of its own, also within the same second', () => {
    const first = backupNameOf(us('2026-11-22T01:30:00Z'), 'schedule', new Set());
    const second = backupNameOf(us('2026-11-22T01:30:00.9Z'), 'schedule', new Set([first]));

    expect([first, second]).toEqual(['20261122-013000-schedule', '20261122-013000-schedule-2']);
  });
});
