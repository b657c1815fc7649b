import { expect, it } from 'vitest';
import type { IndexedFile } from '../index/sensor-index.ts';
import { spanOfRange } from './content-span.ts';

const segment = (n: number, run = 0) => ({
  ...{ n, run, offset: 100 + n * 1000, sizeBytes: 1000, startTicks: n * 90_000, durationTicks: 90_000 },
});
const file = {
  timebase: { clock: 'stream', klvUnitUs: 1, shiftUs: 0, runs: [{ run: 0, anchors: [[0, 1e9]] }] },
  window: [1e9, 1.004e9],
  // The times of the last run are unknown.
  media: { storageKey: 'originals/a.ts', segments: [segment(0), segment(1), segment(2), segment(3, 1)] },
} as Partial<IndexedFile> as IndexedFile;

const spanOf = (range: [number, number], key = 'originals/a.ts') => spanOfRange({ file, key, range, shiftUs: 5e6 });

it.each([
  ['of what is touched, to the segment', [1099, 1101], [1.005e9, 1.007e9]],
  ['of one segment up to its last byte', [1100, 2100], [1.006e9, 1.007e9]],
  ['of all that can be dated', [0, 99_999], [1.005e9, 1.008e9]],
  ['none ahead of the first segment', [0, 100], null],
  ['none where nothing is dated', [3100, 3200], null],
] as const)('tells the time %s', (_, [start, end], span) => {
  expect(spanOf([start, end])).toEqual(span);
});

it('gives all that is shown of a file if its original is not what is played', () => {
  expect(spanOf([0, 1], 'originals/other.ts')).toEqual([1.005e9, 1.009e9]);
});
