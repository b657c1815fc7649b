import { expect, it } from 'vitest';
import { rateLimit } from './rate-limit.ts';

it('lets through half a second of the limit at once, then the limit, and after a pause no more than that again', () => {
  const limit = rateLimit(8_000_000);
  const taken = (nowMs: number) => {
    let bytes = 0;
    while (limit.accepts(1000, nowMs)) bytes += 1000;
    return bytes;
  };

  expect(taken(0)).toBe(500_000);
  expect(taken(0)).toBe(0);
  expect(taken(100)).toBe(100_000);
  expect(taken(60_000)).toBe(500_000);
});
