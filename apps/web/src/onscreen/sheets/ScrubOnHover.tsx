import { Box } from '@mui/material';
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { formatClock } from '../../base/format.ts';
import { CellPicture } from './CellPicture.tsx';
import type { Cell } from './cells.ts';
import { type SheetsSensor, useCells, useSheetAddress } from './useSheets.ts';

/** Time in milliseconds for which the pointer is on a picture before it scrubs. */
export const SCRUB_MS = 150;

const PREVIEW = { width: 202, height: 114 } as const;
const GAP_PX = 6;

type Props = {
  /** Null: the picture stays as it is. */
  sensor: SheetsSensor | null;
  /** Limits the pictures to those from `fromUs` to `toUs`. */
  span?: { fromUs: number; toUs: number } | undefined;
  /** Width and height in px of the picture. A small one is shown larger beside it. */
  width: number;
  height: number;
  children: ReactNode;
};

type At = { left: number; top: number; share: number };

/**
 * A picture of a mission that runs through its recording while a mouse moves over it, from the beginning at its left edge to
 * the end at its right one. Reads the sheets of this sensor alone, one at a time.
 */
export function ScrubOnHover({ sensor, span, width, height, children }: Props) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const last = useRef<At>({ left: 0, top: 0, share: 0 });
  const [at, setAt] = useState<At | null>(null);
  useEffect(() => () => clearTimeout(timer.current), []);

  const note = (event: PointerEvent<HTMLElement>) => {
    const { left, top, width: wide } = event.currentTarget.getBoundingClientRect();
    last.current = { left, top, share: Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, wide))) };
  };
  const leave = () => {
    clearTimeout(timer.current);
    setAt(null);
  };

  return (
    <Box
      data-part="scrub"
      onPointerEnter={(event) => {
        if (event.pointerType !== 'mouse' || sensor === null) return;
        note(event);
        timer.current = setTimeout(() => setAt(last.current), SCRUB_MS);
      }}
      onPointerMove={(event) => {
        note(event);
        if (at !== null) setAt(last.current);
      }}
      onPointerLeave={leave}
      onPointerCancel={leave}
      sx={{ position: 'relative', flex: 'none', width, height, overflow: 'hidden', borderRadius: 1 }}
    >
      {children}
      {sensor && at && <Scrubbed {...{ sensor, span, width, height, at }} />}
    </Box>
  );
}

type ScrubbedProps = Required<Pick<Props, 'width' | 'height'>> & Pick<Props, 'span'> & { sensor: SheetsSensor; at: At };

function Scrubbed({ sensor, span, width, height, at }: ScrubbedProps) {
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
function Preview({ cell, address, height, at }: { cell: Cell; address: string; height: number; at: At }) {
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
