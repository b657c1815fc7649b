import { expect, it } from 'vitest';
import { placeNextTo } from './place.ts';

const view = { width: 1440, height: 900 };
const card = { width: 320, height: 200 };

it('is right of its target, then left of it, below it, above it', () => {
  expect(placeNextTo({ left: 0, top: 300, width: 700, height: 400 }, card, view)).toEqual({ left: 712, top: 400 });
  expect(placeNextTo({ left: 900, top: 300, width: 540, height: 400 }, card, view)).toEqual({ left: 568, top: 400 });
  expect(placeNextTo({ left: 100, top: 0, width: 1300, height: 500 }, card, view)).toEqual({ left: 100, top: 512 });
  expect(placeNextTo({ left: 100, top: 600, width: 1300, height: 300 }, card, view)).toEqual({ left: 100, top: 388 });
});

it('is inside a target that fills the window, and never outside the window', () => {
  expect(placeNextTo({ left: 0, top: 0, ...view }, card, view)).toEqual({ left: 1108, top: 688 });
  expect(placeNextTo({ left: 0, top: 880, width: 40, height: 20 }, card, view)).toEqual({ left: 8, top: 668 });
  expect(placeNextTo({ left: 1100, top: 80, width: 32, height: 32 }, card, view)).toEqual({ left: 1100, top: 124 });
  expect(placeNextTo({ left: 0, top: 0, width: 10, height: 10 }, card, { width: 300, height: 150 })).toEqual({
    left: 8,
    top: 32,
  });
});
