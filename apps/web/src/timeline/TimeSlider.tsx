import { Box } from '@mui/material';
import type { HTMLAttributes, ReactNode, RefObject } from 'react';
import { useViewServices } from '../onscreen/view-services.ts';
import { GapPattern } from './Gap.tsx';
import { Ruler } from './Ruler.tsx';
import type { Span } from './scale.ts';

type Props = Pick<HTMLAttributes<HTMLElement>, 'onKeyDown'> & {
  track: RefObject<HTMLDivElement | null>;
  label: string;
  fullSpan: Span;
  /** Visible part of `fullSpan`. */
  span: Span;
  width: number;
  height: number;
  hasRuler?: boolean;
  handlers: HTMLAttributes<HTMLElement>;
  /** Rows of the timeline, in the SVG below its ruler. */
  rows: ReactNode;
  /** Content drawn over the rows. */
  children: ReactNode;
};

/** Ruler and rows of a timeline, which are a slider of the clock. */
export function TimeSlider(props: Props) {
  const { track, label, fullSpan, span, width, height, hasRuler = true, handlers, onKeyDown, rows, children } = props;
  const { clock } = useViewServices();
  return (
    <Box
      ref={track}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={Math.round(fullSpan.fromUs / 1e6)}
      aria-valuemax={Math.round(fullSpan.toUs / 1e6)}
      aria-valuenow={Math.round(clock.timeUs() / 1e6)}
      onKeyDown={onKeyDown}
      {...handlers}
      sx={{ position: 'relative', height, overflow: 'hidden', touchAction: 'none', cursor: 'crosshair' }}
    >
      <svg width={width} height={height} aria-hidden="true" style={{ display: 'block' }}>
        <GapPattern />
        {hasRuler && <Ruler span={span} width={width} height={height} />}
        {rows}
      </svg>
      {children}
    </Box>
  );
}
