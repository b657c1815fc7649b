import type { Sighting } from '@osprey/geo';
import { expect, it } from 'vitest';
import { sightingAt } from './footprints.ts';

const seen = (timeUs: number, more: Partial<Sighting> = {}): Sighting => ({
  timeUs,
  corners: [
    [9, 46],
    [9.1, 46],
    [9.1, 45.9],
    [9, 45.9],
  ],
  platform: null,
  ...more,
});

it('looks for ships in pictures alone, not in squares around frame centres', () => {
  const sightings = [seen(1e6), seen(2e6, { approximate: true }), seen(3e6)];
  expect([0.5e6, 1.5e6, 2.5e6, 3.5e6].map((timeUs) => sightingAt(sightings, timeUs)?.timeUs ?? null)).toEqual([
    ...[null, 1e6, null, 3e6],
  ]);
});
