import { Box } from '@mui/material';
import { type RefObject, useEffect, useRef } from 'react';
import { fill, formatClock, formatDate } from '../base/format.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { type Span, xOf } from './scale.ts';
import { texts } from './texts.ts';

/** Half the width of the time label, px. */
const LABEL_HALF_PX = 34;

type Props = { span: Span; width: number; slider: RefObject<HTMLElement | null>; compact: boolean };

/**
 * Line at the current time, updated with the clock without React. It also updates the slider's value for screen
 * readers.
 */
export function Playhead({ span, width, slider, compact }: Props) {
  const { clock } = useViewServices();
  const line = useRef<HTMLDivElement>(null);
  const label = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    const place = (timeUs: number) => {
      if (!line.current || !label.current) return;
      const x = xOf(span, timeUs, width);
      line.current.style.transform = `translateX(${x.toFixed(1)}px)`;
      // The tolerance is needed since the clock has whole microseconds, so that at an end of the view it may be
      // slightly outside.
      line.current.hidden = x < -0.5 || x > width + 0.5;
      // At the edges the label remains completely visible, next to its line.
      const inside = compact ? x : Math.min(Math.max(x, LABEL_HALF_PX), Math.max(LABEL_HALF_PX, width - LABEL_HALF_PX));
      label.current.style.transform = `translateX(calc(-50% + ${(inside - x).toFixed(1)}px))`;
      const text = formatClock(timeUs);
      if (label.current.textContent === text) return;
      label.current.textContent = text;
      slider.current?.setAttribute('aria-valuenow', String(Math.round(timeUs / 1e6)));
      slider.current?.setAttribute('aria-valuetext', fill(texts.position, { date: formatDate(timeUs), clock: text }));
    };
    place(clock.timeUs());
    return clock.onTime(place);
  }, [clock, span, width, slider, compact]);

  return (
    <Box
      ref={line}
      data-part="playhead"
      sx={{
        position: 'absolute',
        top: 0,
        bottom: 0,
        left: -1,
        width: 2,
        bgcolor: 'text.primary',
        pointerEvents: 'none',
        '&[hidden]': { display: 'none' },
      }}
    >
      <Box
        component="span"
        ref={label}
        sx={{
          position: 'absolute',
          top: 2,
          left: 1,
          px: 1.5,
          borderRadius: 1,
          bgcolor: 'text.primary',
          color: 'background.paper',
          fontSize: 12,
          fontWeight: 600,
          lineHeight: '18px',
          ...(compact && { fontSize: 0, width: 12, height: 12, p: 0, borderRadius: '50%' }),
        }}
      />
    </Box>
  );
}
