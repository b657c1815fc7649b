import { expect, it } from 'vitest';
import { arrange, type FileToArrange } from './arrange.ts';
import { startsByName } from './recorded-order.ts';

/** Seconds: of the name, of the clock, and the length. */
const file = (named: number, start: number, length: number) => ({
  namedUs: named * 1e6,
  startUs: start * 1e6,
  endUs: (start + length) * 1e6,
  lengthUs: length * 1e6,
});
const starts = (...files: ReturnType<typeof file>[]) =>
  startsByName(files).map((startUs) => (startUs === null ? null : startUs / 1e6));

it.each([
  ['a clock that is hours off, the same in all files', [file(0, 7200, 60), file(65, 7265, 60)]],
  ['a name whose seconds are rounded', [file(0, 0.9, 60), file(60, 60.4, 60)]],
  ['files of one time, whose names say so too', [file(0, 0, 60), file(10, 10, 60)]],
  ['one file alone', [file(0, -3000, 60)]],
])('leaves %s as the clocks say', (_, files) => {
  expect(starts(...files)).toEqual(files.map(() => null));
});

it('dates by its name what a corrected clock lays over the file before', () => {
  // The clock was 30 s fast, and was set right at 605 s.
  expect(starts(file(0, 30, 600), file(605, 605, 60))).toEqual([null, 635]);
  expect(starts(file(0, 30, 60), file(65, 65, 600))).toEqual([0, null]);
});

it('dates by their names the files of an encoder that plays a loop', () => {
  expect(starts(file(1000, 0, 16), file(1016, 0, 10), file(1026, 0.5, 10), file(1036, 3, 60))).toEqual([
    -33,
    -17,
    -7,
    null,
  ]);
});

/** Ten seconds of pictures without a clock, that came at this moment. */
function withoutClock(name: string, uploadedUs: number): FileToArrange {
  const run = { run: 0, firstPts: 0, lastPts: 896_400, lastDurationTicks: 3600, firstDts: 0 };
  const index = { runs: [run], klvSpans: [], klv: { clock: { trustworthy: false, missing: 0 } }, pictureClock: null };
  const file = { id: name, name, uploadedUs, lastModifiedUs: uploadedUs + 10e6, remark: null, manifest: null, index };
  return file as unknown as FileToArrange;
}

it('dates what our recorder wrote to the microsecond, not by the seconds of its name', () => {
  const startUs = Date.UTC(2026, 5, 1, 9, 0, 0, 740) * 1000;

  const [own] = arrange([withoutClock('20260601-090000.ts', startUs)]);
  const [other] = arrange([withoutClock('20260601-085900.ts', startUs)]);

  expect([own!.timeSource, own!.startUs - startUs]).toEqual(['file', 0]);
  expect([other!.timeSource, other!.startUs - startUs]).toEqual(['name', -60_740_000]);
});
