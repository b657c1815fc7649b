import { Box } from '@mui/material';
import type { KeyboardEvent, PointerEvent } from 'react';
import { formatClock } from '../base/format.ts';
import { size } from '../base/sizes.ts';
import { useDrag } from '../ui/useDrag.ts';
import { moveEnd, type Selection, type SelectionControl } from './marks.ts';
import { reveal, type Span, timeAt, xOf } from './scale.ts';
import { texts } from './texts.ts';

/** Width of the handle, which is next to the line, on the outer side of the selection, in px. */
const GRIP_PX = 10;

/** Steps of the keys in microseconds. */
const STEPS_US: Record<string, number> = {
  ArrowLeft: -1_000_000,
  ArrowDown: -1_000_000,
  ArrowRight: 1_000_000,
  ArrowUp: 1_000_000,
  PageDown: -60_000_000,
  PageUp: 60_000_000,
};
/** Factor of the steps while Shift is held. */
const LONG_STEP = 10;

type Props = { selection: SelectionControl; span: Span; fullSpan: Span; width: number; onSpan: (span: Span) => void };

/** Handles of In and Out over the track. They are dragged or moved by arrow keys; Delete removes one. */
export function SelectionEnds(props: Props) {
  return (
    <Box sx={{ position: 'absolute', inset: 0, overflow: 'clip', pointerEvents: 'none' }}>
      <End end="inUs" {...props} />
      <End end="outUs" {...props} />
    </Box>
  );
}

function End({ end, selection, span, fullSpan, width, onSpan }: Props & { end: keyof Selection }) {
  const { inUs, outUs, onChange } = selection;
  const timeUs = selection[end];
  function move(toUs: number): number {
    const next = moveEnd({ inUs, outUs }, end, toUs, fullSpan);
    onChange(next);
    return next[end] ?? toUs;
  }
  function show(atUs: number) {
    const shown = reveal(span, atUs, fullSpan);
    if (shown !== span) onSpan(shown);
  }

  // A handle outside of the view is placed just beyond the edge, and comes into view when it gets the focus.
  const x = timeUs === null ? 0 : Math.min(Math.max(xOf(span, timeUs, width), -2 * GRIP_PX), width + 2 * GRIP_PX);
  const handlers = useDrag({
    /** Returns the distance of the pointer from the line, in px. */
    press: ({ clientX }: PointerEvent<HTMLElement>) => clientX - x,
    drag: ({ clientX }, grabbed) => move(timeAt(span, Math.min(Math.max(clientX - grabbed, 0), width), width)),
  });

  function onKeyDown(event: KeyboardEvent) {
    if (timeUs === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = STEPS_US[event.key];
    if (event.key === 'Delete' || event.key === 'Backspace') onChange({ inUs, outUs, [end]: null });
    else if (step !== undefined) show(move(timeUs + step * (event.shiftKey ? LONG_STEP : 1)));
    else return;
    event.preventDefault();
  }

  if (timeUs === null) return null;
  const isIn = end === 'inUs';
  return (
    <Box
      role="slider"
      tabIndex={0}
      aria-label={isIn ? texts.selectionIn : texts.selectionOut}
      aria-valuemin={Math.round(fullSpan.fromUs / 1e6)}
      aria-valuemax={Math.round(fullSpan.toUs / 1e6)}
      aria-valuenow={Math.round(timeUs / 1e6)}
      aria-valuetext={`${formatClock(timeUs)} Z`}
      data-part={isIn ? 'selection-in' : 'selection-out'}
      {...handlers}
      onKeyDown={onKeyDown}
      onFocus={() => show(timeUs)}
      sx={{
        position: 'absolute',
        top: 0,
        bottom: 0,
        width: GRIP_PX,
        touchAction: 'none',
        pointerEvents: 'auto',
        cursor: 'ew-resize',
        borderColor: 'primary.main',
        borderStyle: 'solid',
        borderWidth: isIn ? '0 1px 0 0' : '0 0 0 1px',
        '&::before': {
          content: '""',
          position: 'absolute',
          top: size.timelineRuler - 12,
          height: 12,
          width: 6,
          bgcolor: 'primary.main',
          ...(isIn ? { right: 0, borderRadius: '3px 0 0 3px' } : { left: 0, borderRadius: '0 3px 3px 0' }),
        },
      }}
      style={{ left: isIn ? x - GRIP_PX : x }}
    />
  );
}
