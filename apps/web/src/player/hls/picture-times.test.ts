import { expect, it } from 'vitest';
import { createPictureTimes } from './picture-times.ts';

/** Pictures of 25 a second, from a number on: their PTS are those of their numbers, whenever they are shown. */
const piece = (from: number, count: number, lateS = 0) =>
  Array.from({ length: count }, (_, i) => ({ mediaTime: (from + i) / 25 + lateS, ticks: (from + i) * 3600 }));

it('finds the picture on screen for any order of the pieces', () => {
  const pictures = createPictureTimes();
  for (const from of [50, 0, 25]) pictures.put(piece(from, 25));

  expect(pictures.at(-1)).toBeNull();
  expect(pictures.at(1.41)).toEqual({ mediaTime: 1.4, ticks: 35 * 3600 });
  // Earlier than the picture by less than times are rounded.
  expect(pictures.at(1.3995)?.ticks).toBe(35 * 3600);
  expect(pictures.ticksAt(1.41)).toBeCloseTo(35 * 3600 + 900);
  expect(pictures.mediaTimeOf(60 * 3600 + 90, 2.4)).toBeCloseTo(2.401);
});

it('replaces the pictures of a span that comes again', () => {
  const pictures = createPictureTimes();
  pictures.put(piece(0, 75));
  pictures.put(piece(25, 25, 0.02));

  expect(pictures.at(1.41)).toEqual({ mediaTime: 34 / 25 + 0.02, ticks: 34 * 3600 });
  expect(pictures.at(0.97)?.ticks).toBe(24 * 3600);
  expect(pictures.at(2.01)?.ticks).toBe(50 * 3600);
});

it('remembers the pictures of a buffer, and of them those that lie nearest to the last that came', () => {
  const pictures = createPictureTimes();
  for (let from = 0; from < 5000; from += 100) pictures.put(piece(from, 100));

  expect(pictures.at(999 / 25)).toBeNull();
  expect(pictures.at(1000 / 25)?.ticks).toBe(1000 * 3600);

  pictures.put(piece(0, 100));
  expect(pictures.at(0)?.ticks).toBe(0);
  expect(pictures.at(4950 / 25)?.ticks).toBe(4899 * 3600);
});
