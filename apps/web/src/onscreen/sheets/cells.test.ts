import { expect, it } from 'vitest';
import { sheetAt } from '../../testing/sheets.ts';
import { cellAt, cellsOf, heightOfSheet, placedCells } from './cells.ts';

const SECOND = 1_000_000;
const seconds = (from: number, count: number, step = 10) =>
  Array.from({ length: count }, (_none, n) => from + n * step);
const sheets = [sheetAt(seconds(600, 13), 'later'), sheetAt(seconds(0, 60), 'first')];
const cells = cellsOf(sheets);
const secondsOf = (all: readonly { timeUs: number }[]) => all.map(({ timeUs }) => timeUs / SECOND);

it('has each picture at the place of its number in its sheet, in the order of time', () => {
  expect(secondsOf(cells)).toEqual(seconds(0, 73));
  expect(cells[59]).toMatchObject({ x: 9 * 96, y: 5 * 54, sheet: { url: sheets[1]!.url } });
  expect(cells[71]).toMatchObject({ timeUs: 710 * SECOND, x: 96, y: 54, sheet: { url: sheets[0]!.url } });
  expect(sheets.map(heightOfSheet)).toEqual([2 * 54, 6 * 54]);
});

it('finds the picture of a moment with its own time, and none where none is near', () => {
  const at = (second: number) => cellAt(cells, second * SECOND)?.timeUs;

  expect([0, 14, 19.9, 730].map(at)).toEqual([0, 10 * SECOND, 10 * SECOND, 720 * SECOND]);
  expect(at(-12)).toBe(0);
  expect([at(-16), at(736), cellAt([], 0)]).toEqual([undefined, undefined, null]);
});

const row = { width: 100, widthOf: () => 32 };
const whole = [{ startTime: 0, endTime: 730 * SECOND }];

it('places pictures at their own times, none over another, and the same ones wherever the row is panned to', () => {
  const view = { fromUs: 0, toUs: 730 * SECOND };
  const placed = placedCells(cells, whole, view, row);

  // 32 px are 233.6 s.
  expect(secondsOf(placed.map(({ cell }) => cell))).toEqual([0, 240, 480, 720]);
  for (const [n, { cell, x, width }] of placed.entries()) {
    expect(x).toBeCloseTo((cell.timeUs / view.toUs) * 100);
    expect(x + width).toBeLessThanOrEqual((placed[n + 1]?.x ?? 100) + 1e-6);
  }
  const panned = placedCells(cells, whole, { fromUs: 300 * SECOND, toUs: 1030 * SECOND }, row);
  expect(secondsOf(panned.map(({ cell }) => cell))).toEqual([240, 480, 720]);
});

it('places pictures alone with room between them where the row is zoomed into, and none outside of what was recorded', () => {
  const placed = placedCells(cells, whole, { fromUs: 0, toUs: 20 * SECOND }, { width: 1000, widthOf: () => 32 });
  expect(placed.map(({ x, width }) => [x, width])).toEqual([
    [0, 48],
    [500, 48],
  ]);

  const stretches = [
    { startTime: 0, endTime: 95 * SECOND },
    { startTime: 300 * SECOND, endTime: 400 * SECOND },
  ];
  const cut = placedCells(cells, stretches, { fromUs: 0, toUs: 730 * SECOND }, { width: 730, widthOf: () => 32 });
  expect(secondsOf(cut.map(({ cell }) => cell))).toEqual([0, 40, 80, 300, 340, 380]);
  expect(cut[2]!.x + cut[2]!.width).toBeCloseTo(95);
});
