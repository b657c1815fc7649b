import { expect, it } from 'vitest';
import { nearestPicture } from './pictures.ts';
import {
  clampSpan,
  clockParts,
  histogramPath,
  readMoment,
  reveal,
  spanBetween,
  ticksOf,
  timeAt,
  xOf,
  zoomAround,
} from './scale.ts';

const SECOND = 1_000_000;
const T0 = Date.UTC(2026, 10, 4, 13, 5) * 1000;
const HOUR = { fromUs: T0, toUs: T0 + 3600 * SECOND };

it('zooms around the pointer: the moment under it stays under it', () => {
  const at = timeAt(HOUR, 300, 1000);

  const zoomed = zoomAround(HOUR, 0.25, at, HOUR);

  expect(zoomed.toUs - zoomed.fromUs).toBe(900 * SECOND);
  expect(xOf(zoomed, at, 1000)).toBeCloseTo(300, 6);
});

it('keeps the moments under two fingers under them while they part, in either order, and never turns round', () => {
  const one = { x: 200, timeUs: timeAt(HOUR, 400, 1000) };
  const other = { x: 800, timeUs: timeAt(HOUR, 600, 1000) };

  const zoomed = spanBetween(HOUR, [other, one], 1000, HOUR);

  expect(xOf(zoomed, one.timeUs, 1000)).toBeCloseTo(200, 6);
  expect(xOf(zoomed, other.timeUs, 1000)).toBeCloseTo(800, 6);
  expect(spanBetween(HOUR, [one, { ...other, x: 200 }], 1000, HOUR)).toEqual(HOUR);
  expect(spanBetween(HOUR, [one, { ...other, x: 100 }], 1000, HOUR)).toEqual(HOUR);
  expect(spanBetween(HOUR, [one, { ...other, x: 201 }], 1000, HOUR)).toEqual(HOUR);
});

it('zooms from the whole mission to one second and no further', () => {
  expect(
    zoomAround(HOUR, 1e-9, T0 + 5 * SECOND, HOUR).toUs - zoomAround(HOUR, 1e-9, T0 + 5 * SECOND, HOUR).fromUs,
  ).toBe(SECOND);
  expect(zoomAround(HOUR, 1e9, T0, HOUR)).toEqual(HOUR);
});

it('stays inside the mission when it is dragged', () => {
  const span = { fromUs: T0 - 10 * SECOND, toUs: T0 + 50 * SECOND };

  expect(clampSpan(span, HOUR)).toEqual({ fromUs: T0, toUs: T0 + 60 * SECOND });
});

it('follows a playhead out of the view, and leaves the view alone while it is inside', () => {
  const span = { fromUs: T0, toUs: T0 + 60 * SECOND };

  expect(reveal(span, T0 + 30 * SECOND, HOUR)).toBe(span);
  expect(reveal(span, T0 + 61 * SECOND, HOUR).fromUs).toBe(T0 + 55 * SECOND);
});

it('labels as finely as there is room for', () => {
  const labels = (seconds: number) =>
    ticksOf({ fromUs: T0, toUs: T0 + seconds * SECOND }, 1000).flatMap(({ label }) => label ?? []);

  expect(labels(3600).slice(0, 3)).toEqual(['13:10', '13:20', '13:30']);
  expect(labels(60).slice(0, 2)).toEqual(['13:05:00', '13:05:10']);
  expect(labels(1)).toContain('00.5');
  expect(ticksOf({ fromUs: T0, toUs: T0 + 86_400 * SECOND }, 1000).flatMap(({ label }) => label ?? [])).toContain(
    'Nov 05',
  );
});

it('reads what people type as a time of that day, UTC', () => {
  expect(readMoment('14:26:31', T0)).toBe(Date.UTC(2026, 10, 4, 14, 26, 31) * 1000);
  expect(readMoment(' 9:05z ', T0)).toBe(Date.UTC(2026, 10, 4, 9, 5) * 1000);
  expect(readMoment('2026-11-05T00:00:01Z', T0)).toBe(Date.UTC(2026, 10, 5, 0, 0, 1) * 1000);
  expect(readMoment('14:26:31.25', T0)).toBe(Date.UTC(2026, 10, 4, 14, 26, 31, 250) * 1000);
  for (const wrong of ['', 'noon', '25:00', '12:61', '12:00:60']) expect(readMoment(wrong, T0)).toBeNull();
});

it('writes the clock with hundredths', () => {
  expect(clockParts(T0 + 31_529_999)).toEqual(['13:05:31', '.52']);
});

it('draws the most targets of each stretch, and nothing without targets', () => {
  const span = { fromUs: T0, toUs: T0 + 10 * SECOND };

  expect(histogramPath({ binSeconds: 1, counts: [0, 0] }, T0, span, { width: 30, height: 10 })).toBe('');
  expect(histogramPath({ binSeconds: 1, counts: [2, 1] }, T0, span, { width: 30, height: 10 })).toBe(
    'M0 10h2v-10.0h-2zM3 10h2v-5.0h-2z',
  );
});

it('takes the picture of the moment, or none when the nearest is of another', () => {
  const pictures = [0, 10, 20].map((seconds) => ({ time: T0 + seconds * SECOND, url: `${seconds}` }));

  expect(nearestPicture(pictures, T0 + 19 * SECOND)?.url).toBe('10');
  expect(nearestPicture(pictures, T0 - 3 * SECOND)?.url).toBe('0');
  expect(nearestPicture(pictures, T0 + 60 * SECOND)).toBeNull();
  expect(nearestPicture([], T0)).toBeNull();
});
