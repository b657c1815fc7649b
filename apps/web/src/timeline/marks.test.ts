import { expect, it } from 'vitest';
import { barsOf, moveEnd, pinsOf, setEnd, sortMarks, type TimelineMark } from './marks.ts';

const SECOND = 1_000_000;
const HOUR = { fromUs: 0, toUs: 3600 * SECOND };

const markAt = (seconds: number, fields: Partial<TimelineMark> = {}): TimelineMark => ({
  id: `m${seconds}`,
  timeUs: seconds * SECOND,
  ink: 'gold',
  label: `Mark ${seconds}`,
  ...fields,
});
const marksAt = (...seconds: number[]) => sortMarks(seconds.map((at) => markAt(at)));
const groups = (sorted: ReturnType<typeof marksAt>, span = HOUR, width = 1000) =>
  pinsOf(sorted, span, width, 28).map(({ from, to }) =>
    sorted.marks.slice(from, to).map(({ timeUs }) => timeUs / SECOND),
  );

it('makes one pin of marks that would overlap, and no two pins closer than their width', () => {
  // 3.6 s a pixel: a pin is 100.8 s wide.
  expect(groups(marksAt(1000, 0, 1100, 1101, 3000))).toEqual([[0], [1000, 1100], [1101], [3000]]);

  const many = marksAt(...Array.from({ length: 10_000 }, (_none, index) => (index * 7919) % 3600));
  const pins = pinsOf(many, HOUR, 1000, 28);

  expect(pins.length).toBeGreaterThan(20);
  for (const [index, pin] of pins.entries()) {
    if (index > 0) expect(pin.x - pins[index - 1]!.x).toBeGreaterThanOrEqual(28);
  }
  expect(pins.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(10_000);
});

it('parts them where the view is closer', () => {
  const sorted = marksAt(1000, 1002, 1004);

  expect(groups(sorted)).toEqual([[1000, 1002, 1004]]);
  expect(groups(sorted, { fromUs: 990 * SECOND, toUs: 1010 * SECOND })).toEqual([[1000], [1002], [1004]]);
});

it('keeps the groups while the view is panned, however dense the marks are', () => {
  const sorted = marksAt(...Array.from({ length: 500 }, (_none, index) => 600 + index * 3));
  const fullSpan = groups(sorted, { fromUs: 0, toUs: 3600 * SECOND }).slice(0, -1);

  for (const from of [500, 601, 750, 1111]) {
    const span = { fromUs: from * SECOND, toUs: (from + 3600) * SECOND };
    for (const group of groups(sorted, span)) expect([...fullSpan, expect.anything()]).toContainEqual(group);
  }
});

it('shows what is partly in view at the left edge, nothing outside, and nothing without a width', () => {
  const span = { fromUs: 100 * SECOND, toUs: 200 * SECOND };
  const sorted = marksAt(50, 98, 150, 201);

  expect(groups(sorted, span)).toEqual([[98], [150]]);
  expect(pinsOf(sorted, span, 1000, 28).map(({ x, room }) => [x, room])).toEqual([
    [-20, 520],
    [500, 500],
  ]);
  expect(groups(sorted, span, 0)).toEqual([]);
  expect(groups(marksAt(), span)).toEqual([]);
});

it('leaves out a mark without a time', () => {
  expect(sortMarks([markAt(1), markAt(Number.NaN)]).marks).toHaveLength(1);
});

it('draws marks that last as one path for each colour, with bars that touch joined', () => {
  const at = (from: number, to: number, ink: string) => markAt(from, { endUs: to * SECOND, ink });
  const sorted = sortMarks([at(0, 36, 'red'), at(30, 72, 'red'), at(360, 5000, 'red'), at(36, 37, 'blue'), markAt(9)]);

  expect([...barsOf(sorted, HOUR, 1000)]).toEqual([
    ['red', 'M0 0H20M100 0H1000'],
    ['blue', 'M10 0H11'],
  ]);
  expect(barsOf(sorted, { fromUs: 80 * SECOND, toUs: 90 * SECOND }, 1000).size).toBe(0);
});

it('keeps In before Out and both in the mission', () => {
  const selection = { inUs: 100, outUs: 200 };
  const fullSpan = { fromUs: 0, toUs: 1000 };

  expect(moveEnd(selection, 'inUs', 250, fullSpan)).toEqual({ inUs: 200, outUs: 200 });
  expect(moveEnd(selection, 'inUs', -5, fullSpan)).toEqual({ inUs: 0, outUs: 200 });
  expect(moveEnd(selection, 'outUs', 50.4, fullSpan)).toEqual({ inUs: 100, outUs: 100 });
  expect(moveEnd({ inUs: null, outUs: null }, 'outUs', 5000, fullSpan)).toEqual({ inUs: null, outUs: 1000 });
});

it('sets one end, and takes the other away where it would lie on the wrong side', () => {
  expect(setEnd({ inUs: null, outUs: null }, 'inUs', 100)).toEqual({ inUs: 100, outUs: null });
  expect(setEnd({ inUs: 100, outUs: 200 }, 'inUs', 150)).toEqual({ inUs: 150, outUs: 200 });
  expect(setEnd({ inUs: 100, outUs: 200 }, 'inUs', 250)).toEqual({ inUs: 250, outUs: null });
  expect(setEnd({ inUs: 100, outUs: 200 }, 'outUs', 50)).toEqual({ inUs: null, outUs: 50 });
});
