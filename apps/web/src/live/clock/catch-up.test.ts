import { expect, it } from 'vitest';
import { stepToEnd } from './catch-up.ts';

/** Plays for some seconds with the steps; what is ahead when nothing is held up any more, and how long that took. */
function play(bufferedAheadS: number) {
  let [isCatchingUp, seconds] = [false, 0];
  for (; seconds < 30; seconds += 0.1) {
    const step = stepToEnd({ bufferedAheadS, isCatchingUp });
    if (step.way === 'jump') throw new Error('It jumped');
    if (step.rate === 1) return { bufferedAheadS, seconds };
    isCatchingUp = true;
    bufferedAheadS -= (step.rate - 1) * 0.1;
  }
  return { bufferedAheadS, seconds };
}

it('comes back to the end of its buffer, and not only to where it would play faster again', () => {
  const { bufferedAheadS, seconds } = play(0.9);

  expect(bufferedAheadS).toBeLessThanOrEqual(0.2);
  expect(bufferedAheadS).toBeGreaterThan(0.15);
  expect(seconds).toBeLessThan(4);
});

it('plays at its rate where a little more is ahead than is wanted', () => {
  expect(stepToEnd({ bufferedAheadS: 0.29, isCatchingUp: false })).toEqual({ way: 'rate', rate: 1 });
});

it('jumps where playing faster would take too long', () => {
  expect(stepToEnd({ bufferedAheadS: 1.1, isCatchingUp: true })).toEqual({ way: 'jump' });
});
