import { expect, it } from 'vitest';
import { createPauseFinder } from './pauses.ts';

const SECOND_US = 1_000_000;
const of = (seconds: readonly number[]) => {
  const finder = createPauseFinder();
  for (const second of seconds) finder.add(second * SECOND_US);
  return finder.pauses().map(({ start, end }) => [start / SECOND_US, end / SECOND_US]);
};
const each = (step: number, from: number, count: number) => Array.from({ length: count }, (_, n) => from + n * step);

it('finds pauses of a minute and more', () => {
  expect(of([...each(1, 0, 11), ...each(1, 70, 11), ...each(1, 139, 3)])).toEqual([[10, 70]]);
});

it('knows that a logger may write seldom', () => {
  expect(of(each(300, 0, 12))).toEqual([]);
  expect(of([...each(50, 0, 10), ...each(50, 3600, 10)])).toEqual([[450, 3600]]);
});

it('takes a clock that goes back for no pause, and says nothing of an empty file', () => {
  expect(of([0, 1, 2, 3, 0, 1, 2, 3, 4])).toEqual([]);
  expect(of([])).toEqual([]);
  expect(of([5])).toEqual([]);
});

it('shows what is nothing but two moments far apart as one stretch', () => {
  expect(of([0, 86_400])).toEqual([]);
});
