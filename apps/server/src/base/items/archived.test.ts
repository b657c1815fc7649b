import { expect, it } from 'vitest';
import { archivedFrame } from './archived.ts';

it.each([
  [2 ** 50, true],
  [-(2 ** 50), true],
  [2 ** 50 + 1, false],
  [-(2 ** 50) - 1, false],
])('a frame of an archive may have the PTS %d: %s', (pts, isTaken) => {
  expect(archivedFrame.safeParse({ original: 'flight.ts', run: 0, pts }).success).toBe(isTaken);
});
