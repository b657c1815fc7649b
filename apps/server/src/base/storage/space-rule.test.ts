import { expect, it } from 'vitest';
import { spaceLevel, uploadReserve } from './space-rule.ts';

const GIB = 1024 ** 3;

it.each([
  [100, 50, 'fine'],
  [100, 9.9, 'warn'],
  [100, 4.9, 'noUploads'],
  [100, 1.9, 'noExports'],
  [100, 0.49, 'noRecording'],
  [10, 0.9, 'noUploads'],
  [4000, 21, 'noExports'],
])('of %d GiB, %d free is %s', (total, free, level) => {
  expect(spaceLevel({ totalBytes: total * GIB, freeBytes: free * GIB })).toBe(level);
});

it('keeps at least 1 GiB and at most 20 GiB from uploads', () => {
  expect(uploadReserve(10 * GIB)).toBe(GIB);
  expect(uploadReserve(100 * GIB)).toBe(5 * GIB);
  expect(uploadReserve(4000 * GIB)).toBe(20 * GIB);
});
