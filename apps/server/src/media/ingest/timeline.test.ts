import { TICKS_PER_SECOND } from '@osprey/mpegts';
import { expect, it } from 'vitest';
import type { ArrangedFile } from './arrange.ts';
import { shownSegments, timelineOf } from './timeline.ts';

const SECOND_US = 1_000_000;

/** A file from 10 s to 14 s, shown from `fromSecond` on. */
function fileFrom(fromSecond: number): ArrangedFile {
  const anchors = [[10 * TICKS_PER_SECOND, 10 * SECOND_US]];
  const file: Partial<Record<keyof ArrangedFile, unknown>> = {
    ...{ id: 'file', startUs: 10 * SECOND_US, endUs: 14 * SECOND_US, timeSource: 'file' },
    window: [fromSecond * SECOND_US, 14 * SECOND_US],
    timebase: { clock: 'stream', klvUnitUs: 1, shiftUs: 0, runs: [{ run: 0, anchors }] },
    index: { runs: [] },
  };
  return file as unknown as ArrangedFile;
}

/** Segments of 2 s whose only key frame is their first picture, from this second on. */
const segmentsFrom = (second: number) =>
  [0, 2].map((at, n) => ({
    ...{ n, offset: n * 188, sizeBytes: 188, run: 0 },
    startTicks: (second + at) * TICKS_PER_SECOND,
    durationTicks: 2 * TICKS_PER_SECOND,
  }));

it('shows a conversion from its first picture on, also if its original names that one later', () => {
  const file = fileFrom(10);
  const segments = shownSegments(file, segmentsFrom(9.75), []);

  expect(segments).toHaveLength(2);
  expect(timelineOf([{ file, segments }])).toMatchObject({
    startTime: 9.75 * SECOND_US,
    runs: [{ startTime: 9.75 * SECOND_US, durationSeconds: 4 }],
  });
});

it('leaves what overlaps the file before to that one', () => {
  expect(shownSegments(fileFrom(11), segmentsFrom(10), []).map(({ n }) => n)).toEqual([1]);
});
