// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { forgetPlaces, keepPlace, placeOf } from './first-place.ts';

const one = { left: 60, top: 112, width: 648.5, height: 365 };
const two = { left: 60, top: 112, width: 400, height: 225 };

beforeEach(() => localStorage.clear());
afterEach(() => void vi.unstubAllGlobals());

it('knows the place of the first of so many pictures', () => {
  keepPlace(1, one);
  keepPlace(2, two);

  expect([placeOf(1), placeOf(2), placeOf(3)]).toEqual([one, two, null]);
});

it('knows nothing of a window of another size, and starts again there', () => {
  keepPlace(1, one);

  vi.stubGlobal('innerWidth', 390);
  expect(placeOf(1)).toBeNull();
  keepPlace(2, two);

  expect([placeOf(1), placeOf(2)]).toEqual([null, two]);
});

it('forgets them all', () => {
  keepPlace(1, one);
  forgetPlaces();

  expect(placeOf(1)).toBeNull();
});

it.each([
  'no JSON',
  '7',
  'null',
  `{"window":"${innerWidth}x${innerHeight}"}`,
  `{"window":"${innerWidth}x${innerHeight}","places":{"1":{"left":1,"top":2,"width":"3"}}}`,
])('takes %s for nothing', (stored) => {
  localStorage.setItem('firstPicture', stored);

  expect(placeOf(1)).toBeNull();
});
