import { Box } from '@mui/material';
import type { PointerEvent } from 'react';
import { useDrag } from '../ui/useDrag.ts';
import { clampSpan, type Span, timeAt, xOf } from './scale.ts';
import { boxOf } from './TimelineRow.tsx';
import { texts } from './texts.ts';

type Props = {
  fullSpan: Span;
  span: Span;
  width: number;
  ranges: readonly { startTime: number; endTime: number }[];
  ink: string;
  onSpan: (span: Span) => void;
};

const HEIGHT = 18;

/** Overview of the whole mission in one row, with the window shown by the rows above; dragging moves the window. */
export function Overview({ fullSpan, span, width, ranges, ink, onSpan }: Props) {
  const from = xOf(fullSpan, span.fromUs, width);
  const to = xOf(fullSpan, span.toUs, width);

  /** `grabbed`: distance of the pointer from the middle of the window, in px. */
  function drag(event: PointerEvent<HTMLElement>, grabbed: number) {
    const bounds = event.currentTarget.getBoundingClientRect();
    const centre = timeAt(fullSpan, event.clientX - bounds.left - grabbed, bounds.width);
    const half = (span.toUs - span.fromUs) / 2;
    onSpan(clampSpan({ fromUs: centre - half, toUs: centre + half }, fullSpan));
  }
  function press(event: PointerEvent<HTMLElement>) {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const grabbed = x >= from && x <= to ? x - (from + to) / 2 : 0;
    drag(event, grabbed);
    return grabbed;
  }
  const handlers = useDrag({ press, drag });

  return (
    <Box
      data-part="overview"
      title={texts.overview}
      {...handlers}
      sx={{ height: HEIGHT, cursor: 'grab', touchAction: 'none' }}
    >
      <svg width={width} height={HEIGHT} aria-hidden="true" style={{ display: 'block' }}>
        {ranges.map(({ startTime, endTime }) => (
          <rect
            key={`${startTime}-${endTime}`}
            {...boxOf(fullSpan, startTime, endTime, width)}
            y={7}
            height={4}
            rx={2}
            fill={ink}
            fillOpacity={0.55}
          />
        ))}
        <rect
          x={Math.max(0.5, from)}
          y={2.5}
          width={Math.max(6, to - from - 1)}
          height={HEIGHT - 5}
          rx={3}
          fill="var(--mui-palette-text-primary)"
          fillOpacity={0.08}
          stroke="var(--mui-palette-text-secondary)"
        />
      </svg>
    </Box>
  );
}
