import { describe, expect, it } from 'vitest';
import { createPictureRate } from './picture-rate.ts';

function rateOf(times: Iterable<number>): number | null {
  const rate = createPictureRate();
  for (const time of times) rate.add(time);
  return rate.perSecond();
}

const steady = (pictures: number, step: number): number[] => Array.from({ length: pictures }, (_, i) => i * step);

describe('the rate of pictures', () => {
  it.each([
    [30, 3000],
    [29.97, 3003],
    [1, 90_000],
    [240, 375],
  ])('is %d a second at steps of %d ticks', (perSecond, step) => {
    expect(rateOf(steady(100, step))).toBeCloseTo(perSecond, 2);
  });

  it('is that of showing if pictures come in another order', () => {
    const groups = Array.from({ length: 500 }, (_, i) => [3, 1, 2].map((k) => (3 * i + k) * 3600));

    expect(rateOf(groups.flat())).toBeCloseTo(25, 6);
  });

  it('is not moved by lost pictures, long gaps and repeated times', () => {
    const holed = steady(300, 3000).filter((_, i) => i % 3 !== 0 || i % 2 === 0);
    const gap = holed.map((time, i) => (i < 100 ? time : time + 900_000));

    expect(rateOf(gap.flatMap((time, i) => (i % 20 === 0 ? [time, time] : [time])))).toBeCloseTo(30, 6);
  });

  it('is the mean of times that were rounded to milliseconds', () => {
    const rounded = steady(300, 3003).map((time) => Math.round(time / 90) * 90);

    expect(rateOf(rounded)).toBeCloseTo(29.97, 2);
  });

  it('counts no step from one clock to the next', () => {
    const rate = createPictureRate();
    for (const time of steady(20, 3600)) rate.add(time);
    rate.restart();
    for (const time of steady(20, 3600)) rate.add(time + 5_000_000);

    expect(rate.perSecond()).toBeCloseTo(25, 6);
  });

  it('is unknown before two pictures', () => {
    expect(rateOf([])).toBeNull();
    expect(rateOf([90_000])).toBeNull();
  });
});
