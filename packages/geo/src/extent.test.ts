import { expect, it } from 'vitest';
import { cellAt, cellOfNumber } from './coverage-cells.ts';
import { type Extent, extentOf } from './extent.ts';

it('is the box around all boxes', () => {
  const boxes: Extent[] = [
    [24, 37, 25, 38],
    [23, 36, 23.5, 37.2],
    [24.2, 37.1, 24.4, 37.3],
  ];
  expect(extentOf(boxes)).toEqual([23, 36, 25, 38]);
  expect(extentOf([[24, 37, 24, 37]])).toEqual([24, 37, 24, 37]);
  expect(extentOf([])).toBeNull();
});

it('goes the shorter way around the earth', () => {
  expect(
    extentOf([
      [178, -18, 179, -17],
      [-179, -20, -178, -19],
    ]),
  ).toEqual([178, -20, 182, -17]);
  expect(
    extentOf([
      [-180, -90, 180, 90],
      [10, 0, 11, 1],
    ]),
  ).toEqual([-180, -90, 180, 90]);
});

it('reads the cell of a number', () => {
  for (const cell of [
    { level: 0, column: 0, row: 0 },
    { level: 11, column: 1161, row: 1448 },
    { level: 16, column: 2 ** 16 - 1, row: 3 },
  ]) {
    expect(cellOfNumber(cellAt(cell.level, cell.column, cell.row))).toEqual(cell);
  }
});
