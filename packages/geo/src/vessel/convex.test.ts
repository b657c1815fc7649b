import { expect, it } from 'vitest';
import { type Convex, distanceBetween, distanceToBorder } from './convex.ts';

const square: Convex = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
];

it.each([
  ['within', [5, 4], 4],
  ['on a diagonal', [3, 3], 3],
  ['beside the last side', [-2, 5], 2],
  ['off a corner', [13, 14], 5],
  ['on a side', [10, 5], 0],
] as const)('measures the distance of a point %s to the nearest side', (_what, [x, y], metres) => {
  expect(distanceToBorder([x, y], square)).toBeCloseTo(metres, 9);
});

it('measures the distance between two figures, which is 0 where they meet', () => {
  const at = (east: number, north: number): Convex => square.map(([x, y]) => [x + east, y + north] as const);

  expect(distanceBetween(square, at(13, 2))).toBeCloseTo(3, 9);
  expect(distanceBetween(square, at(13, 14))).toBeCloseTo(5, 9);
  expect(distanceBetween(square, at(9, 9))).toBe(0);
  expect(distanceBetween(square, [[5, 5]])).toBe(0);
});
