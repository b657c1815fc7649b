import { expect, it } from 'vitest';
import { idsByTime, inOrder, moved } from './part-order.ts';

it('sorts by time, and keeps parts without a time at the end in their order', () => {
  const parts = [
    { _id: 'note', startTime: null },
    { _id: 'late', startTime: 20 },
    { _id: 'other note', startTime: null },
    { _id: 'early', startTime: 10 },
    { _id: 'as late', startTime: 20 },
  ];
  expect(idsByTime(parts)).toEqual(['early', 'late', 'as late', 'note', 'other note']);
});

it.each([
  ['c', 0, ['c', 'a', 'b']],
  ['a', 1, ['b', 'a', 'c']],
  ['a', 99, ['b', 'c', 'a']],
  ['b', -1, ['b', 'a', 'c']],
])('moves %s to place %i', (id, place, expected) => {
  expect(moved(['a', 'b', 'c'], id, place)).toEqual(expected);
});

it('shows an order before the server has it, and what came meanwhile at the end', () => {
  const parts = [{ _id: 'a' }, { _id: 'b' }, { _id: 'new' }];
  expect(inOrder(parts, ['b', 'gone', 'a']).map(({ _id }) => _id)).toEqual(['b', 'a', 'new']);
  expect(inOrder(parts, null)).toEqual(parts);
});
