import { Box } from '@mui/material';
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { later } from '../../ui/later.tsx';
import type { Place } from './Scrubbed.tsx';
import type { SheetsSensor } from './sheets-sensor.ts';

// A table is drawn without this code: a pointer has to rest first.
const Scrubbed = later(async () => (await import('./Scrubbed.tsx')).Scrubbed, { optional: true });

/** Time in milliseconds for which the pointer is on a picture before it scrubs. */
export const SCRUB_MS = 150;

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

/**
 * A picture of a mission that runs through its recording while a mouse moves over it, from the beginning at its left edge to
 * the end at its right one. Reads the sheets of this sensor alone, one at a time.
 */
export function ScrubOnHover({ sensor, span, width, height, children }: Props) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const last = useRef<Place>({ left: 0, top: 0, share: 0 });
  const [at, setAt] = useState<Place | null>(null);
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
