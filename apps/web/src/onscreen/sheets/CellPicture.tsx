import { SHEET_CELL, SHEET_COLUMNS } from '@osprey/contract';
import { type Cell, heightOfSheet } from './cells.ts';

type Props = { cell: Cell; address: string; x?: number; y?: number; width: number; height: number };

/** One picture of a sheet, cut out and scaled to cover a box, inside an SVG or alone. */
export function CellPicture({ cell, address, x, y, width, height }: Props) {
  const { sheet } = cell;
  return (
    <svg
      {...{ x, y, width, height }}
      viewBox={`${cell.x} ${cell.y} ${SHEET_CELL} ${sheet.height}`}
      preserveAspectRatio="xMidYMid slice"
      overflow="hidden"
      aria-hidden="true"
      data-part="cell"
      data-time={cell.timeUs}
      style={{ display: 'block' }}
    >
      <image href={address} width={SHEET_CELL * SHEET_COLUMNS} height={heightOfSheet(sheet)} />
    </svg>
  );
}
