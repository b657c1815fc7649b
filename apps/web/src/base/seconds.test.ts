import { describe, expect, it } from 'vitest';
import { microsecondsOf, signedSeconds } from './seconds.ts';

describe('seconds of a shift', () => {
  it.each([
    ['2.5', 2_500_000],
    ['+2,5', 2_500_000],
    ['-0.04', -40_000],
    ['−3600', -3_600_000_000],
    ['.000001', 1],
    [' 7 ', 7_000_000],
    ['7.', 7_000_000],
    ['0', 0],
  ])('reads %s', (text, us) => {
    expect(microsecondsOf(text)).toBe(us);
  });

  it.each(['', '-', '1h', '1.0000001', '1e3', '4000000001', '--1', '1.2.3'])('refuses %j', (text) => {
    expect(microsecondsOf(text)).toBeNull();
  });

  it.each([2_500_000, -40_000, 1, 0, -3_600_000_000])('writes %i so that it is read back as the same', (us) => {
    expect(microsecondsOf(signedSeconds(us))).toBe(us);
  });
});
