import { Box } from '@mui/material';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { formatClock } from '../../base/format.ts';
import { CellPicture } from './CellPicture.tsx';
import type { Cell } from './cells.ts';
import type { SheetsSensor } from './sheets-sensor.ts';
import { useCells, useSheetAddress } from './useSheets.ts';

const PREVIEW = { width: 202, height: 114 } as const;
const GAP_PX = 6;

/** Upper left corner in px of a picture under the pointer, and the share of its width that the pointer has gone, 0 to 1. */
export type Place = { left: number; top: number; share: number };

type Props = {
  sensor: SheetsSensor;
  /** Limits the pictures to those from `fromUs` to `toUs`. */
  span: { fromUs: number; toUs: number } | undefined;
  width: number;
  height: number;
  at: Place;
};

/** Picture of the recording at the share of the way that the pointer has gone over the small one. */
export function Scrubbed({ sensor, span, width, height, at }: Props) {
  const all = useCells(sensor);
  const cells = span ? all.filter(({ timeUs }) => timeUs >= span.fromUs && timeUs <= span.toUs) : all;
  const cell = cells[Math.min(cells.length - 1, Math.floor(at.share * cells.length))];
  const [asked, ask] = useState(cell?.sheet ?? null);
  const { address, isReading } = useSheetAddress(sensor._id, asked);
  // Another sheet is asked for once the one before has come, so that a fast pointer does not ask for all of them.
  if (!isReading && cell && asked?.url !== cell.sheet.url) ask(cell.sheet);
  if (!cell || address === null || asked?.url !== cell.sheet.url) return null;
  return (
    <>
      <Box sx={{ position: 'absolute', inset: 0 }}>
        <CellPicture {...{ cell, address, width, height }} />
        <Box sx={{ position: 'absolute', left: 0, bottom: 0, height: 2, width: at.share, bgcolor: 'primary.main' }} />
      </Box>
      {createPortal(<Preview {...{ cell, address, height, at }} />, document.body)}
    </>
  );
}

/** The same picture large enough to see, with its time, above the small one or below it. */
function Preview({ cell, address, height, at }: { cell: Cell; address: string; height: number; at: Place }) {
  const high = PREVIEW.height + 24;
  const above = at.top - high - GAP_PX;
  const left = Math.min(at.left, window.innerWidth - PREVIEW.width - 16);
  return (
    <Box
      aria-hidden="true"
      data-part="scrub-preview"
      sx={{
        position: 'fixed',
        left: Math.max(0, left),
        top: above < 0 ? at.top + height + GAP_PX : above,
        p: 1,
        zIndex: 'tooltip',
        borderRadius: 1,
        border: 1,
        borderColor: 'surface.lineStrong',
        bgcolor: 'surface.raised',
        color: 'text.primary',
        fontSize: 12,
        textAlign: 'center',
        pointerEvents: 'none',
      }}
    >
      <Box sx={{ borderRadius: 1, overflow: 'hidden' }}>
        <CellPicture cell={cell} address={address} {...PREVIEW} />
      </Box>
      {formatClock(cell.timeUs)} Z
    </Box>
  );
}
