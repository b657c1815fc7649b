import { expect, it } from 'vitest';
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
