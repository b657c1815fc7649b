import { expect, it } from 'vitest';
import { pickOf, sampleOf } from './sample.ts';

it('T-101 takes a thousand of many files, none twice, and all where there are fewer', () => {
  const [many, few] = [sampleOf<number>(1000), sampleOf<number>(1000)];

  for (let n = 0; n < 25_000; n += 1) many.offer(n);
  for (let n = 0; n < 999; n += 1) few.offer(n);

  expect([many.taken.length, new Set(many.taken).size]).toEqual([1000, 1000]);
  // Not the first ones alone: the chance of that is one in 10 to the power of 1800.
  expect(Math.max(...many.taken)).toBeGreaterThan(999);
  expect(few.taken).toEqual(Array.from({ length: 999 }, (_none, n) => n));
});

it('gives each the same chance', () => {
  const times = [0, 0, 0, 0];

  // Two of four: the third draws one of three places, the fourth one of four.
  for (const third of [0, 1, 2]) {
    for (const fourth of [0, 1, 2, 3]) {
      const draws = [third / 3, fourth / 4];
      const { offer, taken } = sampleOf<number>(2, () => draws.shift()! + 0.01);
      for (const one of [0, 1, 2, 3]) offer(one);
      for (const one of taken) times[one]! += 1;
    }
  }

  expect(times).toEqual([6, 6, 6, 6]);
});

it('picks exactly as many of a known number, each as often as any other', () => {
  const times = new Array<number>(10).fill(0);
  for (let round = 0; round < 5000; round++) {
    const pick = pickOf(3, 10);
    const picked = times.map(() => pick());
    expect(picked.filter(Boolean)).toHaveLength(3);
    picked.forEach((isPicked, place) => {
      if (isPicked) times[place]! += 1;
    });
    expect(pick()).toBe(false);
  }
  // 1,500 each; 5 standard deviations are 162.
  for (const count of times) expect(Math.abs(count - 1500)).toBeLessThan(200);
});
