import { type PictureSheet, SHEET_CELL, SHEET_COLUMNS } from '@osprey/contract';

/** One small picture of a recording, and its place in its sheet in pixels. */
export type Cell = { timeUs: number; sheet: PictureSheet; x: number; y: number };

/** Distance up to which a picture stands for a moment, in microseconds; pictures follow each other after 10 s or more. */
const FAR_US = 15_000_000;

/** Returns the pictures of all sheets in the order of their times. */
export function cellsOf(sheets: readonly PictureSheet[]): Cell[] {
  const cells = sheets.flatMap((sheet) =>
    sheet.times.map((timeUs, at) => ({
      ...{ timeUs, sheet },
      x: (at % SHEET_COLUMNS) * SHEET_CELL,
      y: Math.floor(at / SHEET_COLUMNS) * sheet.height,
    })),
  );
  return cells.sort((one, other) => one.timeUs - other.timeUs);
}

export const heightOfSheet = ({ times, height }: PictureSheet): number =>
  Math.ceil(times.length / SHEET_COLUMNS) * height;

/** Returns the last picture at or before the moment, else the first one after it; null if neither is near. */
export function cellAt(cells: readonly Cell[], timeUs: number): Cell | null {
  const after = cells.findIndex((cell) => cell.timeUs > timeUs);
  const before = cells[after < 0 ? cells.length - 1 : after - 1];
  if (before && timeUs - before.timeUs <= FAR_US) return before;
  const next = after < 0 ? undefined : cells[after];
  return next && next.timeUs - timeUs <= FAR_US ? next : null;
}

export type Placed = { cell: Cell; x: number; width: number };
type Stretch = { startTime: number; endTime: number };

/** A picture may be up to so much wider than it is high enough for, so that neighbours meet. */
const WIDER = 1.5;

/**
 * Places pictures on a row, each with its left edge at its own time and none over another, within what was recorded. It
 * depends on the scale and not on the visible part, so that pictures move along when the row is panned.
 *
 * @param widthOf width in px of a picture at the height of the row
 */
export function placedCells(
  cells: readonly Cell[],
  stretches: readonly Stretch[],
  { fromUs, toUs }: { fromUs: number; toUs: number },
  { width, widthOf }: { width: number; widthOf: (cell: Cell) => number },
): Placed[] {
  const usPerPx = (toUs - fromUs) / Math.max(1, width);
  const kept: { cell: Cell; endUs: number }[] = [];
  let freeUs = Number.NEGATIVE_INFINITY;
  for (const cell of cells) {
    if (cell.timeUs < freeUs) continue;
    const stretch = stretches.find(({ startTime, endTime }) => startTime <= cell.timeUs && cell.timeUs <= endTime);
    if (!stretch) continue;
    const last = kept.at(-1);
    if (last) last.endUs = Math.min(last.endUs, cell.timeUs);
    freeUs = cell.timeUs + widthOf(cell) * usPerPx;
    kept.push({ cell, endUs: Math.min(stretch.endTime, cell.timeUs + WIDER * widthOf(cell) * usPerPx) });
  }
  return kept
    .filter(({ cell, endUs }) => endUs > fromUs && cell.timeUs < toUs)
    .map(({ cell, endUs }) => ({
      cell,
      x: (cell.timeUs - fromUs) / usPerPx,
      width: (endUs - cell.timeUs) / usPerPx,
    }))
    .filter((placed) => placed.width >= 1);
}
