import { expect, it } from 'vitest';
import { listedShip } from './ship-lists.ts';

it.each([
  [1, true],
  [999_999_999, true],
  [0, false],
  [1_000_000_000, false],
  [237_000_000.5, false],
])('the MMSI %d is taken: %s', (mmsi, isTaken) => {
  expect(listedShip.safeParse({ mmsi }).success).toBe(isTaken);
});
