import { type PictureSheet, SHEET_CELL } from '@osprey/contract';
import { type ReactNode, useMemo } from 'react';
import type { RecordedSpan } from '../onscreen/playable.ts';
import { CellPicture } from '../onscreen/sheets/CellPicture.tsx';
import { type Placed, placedCells } from '../onscreen/sheets/cells.ts';
import type { SheetsSensor } from '../onscreen/sheets/sheets-sensor.ts';
import { useCells, useSheetAddress } from '../onscreen/sheets/useSheets.ts';
import type { Span } from './scale.ts';

type Props = {
  sensor: SheetsSensor;
  stretches: readonly RecordedSpan[];
  span: Span;
  width: number;
  y: number;
  height: number;
  /** Shown while there are no pictures. */
  children: ReactNode;
};

/** Pictures of a sensor on its row, each at its own time. Where there are none, the row below them is seen. */
export function Filmstrip({ sensor, stretches, span, width, y, height, children }: Props) {
  const cells = useCells(sensor);
  const bySheet = useMemo(() => {
    const widthOf = ({ sheet }: { sheet: PictureSheet }) => (height * SHEET_CELL) / sheet.height;
    return [...Map.groupBy(placedCells(cells, stretches, span, { width, widthOf }), ({ cell }) => cell.sheet)];
  }, [cells, stretches, span, width, height]);
  if (cells.length === 0) return children;
  return (
    <g data-part="filmstrip">
      {bySheet.map(([sheet, placed]) => (
        <SheetPictures key={sheet.url} sensorId={sensor._id} {...{ sheet, placed, y, height }} />
      ))}
    </g>
  );
}

type SheetProps = {
  sensorId: string;
  sheet: PictureSheet;
  placed: readonly Placed[];
  y: number;
  height: number;
};

/** The pictures of one sheet: nothing until it is read, and nothing if it cannot be read. */
function SheetPictures({ sensorId, sheet, placed, y, height }: SheetProps) {
  const { address } = useSheetAddress(sensorId, sheet);
  if (address === null) return null;
  return placed.map(({ cell, x, width }) => (
    <CellPicture key={cell.timeUs} {...{ cell, address, x, y, width, height }} />
  ));
}
