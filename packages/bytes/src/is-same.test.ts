import { expect, it } from 'vitest';
import { isSame } from './is-same.ts';

const known = Uint8Array.of(1, 2, 3);

it('compares a part of the bytes with all that is known', () => {
  const bytes = Uint8Array.of(9, 1, 2, 3, 9);

  expect(isSame(known, bytes, 1, 4)).toBe(true);
  expect(isSame(known, bytes, 0, 3)).toBe(false);
  expect(isSame(known, bytes, 2, 5)).toBe(false);
});

it('calls neither a beginning nor what goes on the same', () => {
  expect(isSame(known, known, 0, 2)).toBe(false);
  expect(isSame(known, Uint8Array.of(1, 2, 3, 4), 0, 4)).toBe(false);
  expect(isSame(new Uint8Array(), known, 1, 1)).toBe(true);
});

it('does not take bytes past the end for zeros', () => {
  expect(isSame(Uint8Array.of(3, 0), known, 2, 4)).toBe(false);
});
