import { Box } from '@mui/material';
import { memo, useState } from 'react';
import { fill } from '../base/format.ts';
import { size } from '../base/sizes.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { focusNeighbour } from './arrow-keys.ts';
import type { LaneBar } from './lanes.ts';
import type { TimelineSpans } from './marks.ts';
import { xOf } from './scale.ts';
import { texts } from './texts.ts';

/** Height of a lane, in px: bars that are pressed are as far apart as the row of a sensor is high. */
const LANE_PX = size.timelineRow;
const BAR_PX = 18;
const LEAST_PX = 3;
/** Minimum width for a name, in px. */
const NAME_PX = 36;
/** Maximum number of names in the tooltip of a bar that combines several spans. */
const HINTS = 8;

export const spansHeight = (lanes: number): number => lanes * LANE_PX;

type Props = {
  row: TimelineSpans;
  bars: readonly LaneBar[];
  fromUs: number;
  toUs: number;
  width: number;
  top: number;
  height: number;
};

/** Row of named spans over the track; clicking one seeks to its beginning. Arrow keys move between bars. */
export const SpansRow = memo(Row);

function Row({ row, bars, fromUs, toUs, width, top, height }: Props) {
  const { clock } = useViewServices();
  const [reached, setReached] = useState<string | null>(null);
  const shown = bars.filter((bar) => bar.toUs >= fromUs && bar.fromUs <= toUs);
  const idOf = ({ spans }: LaneBar) => spans[0]!.id;
  const inTabOrder = shown.some((bar) => idOf(bar) === reached) ? reached : shown[0] && idOf(shown[0]);

  return (
    <Box
      role="toolbar"
      aria-label={row.label}
      onKeyDown={focusNeighbour}
      sx={{ position: 'absolute', left: 0, right: 0, overflow: 'hidden', pointerEvents: 'none' }}
      style={{ top, height }}
    >
      {shown.map((bar) => {
        const span = { fromUs, toUs };
        const from = Math.max(0, xOf(span, bar.fromUs, width));
        const wide = Math.max(LEAST_PX, Math.min(width, xOf(span, bar.toUs, width)) - from);
        const [first, ...others] = bar.spans;
        const isChosen = bar.spans.some(({ chosen }) => chosen);
        const isFaded = bar.spans.every(({ faded }) => faded);
        const more = bar.spans.length > HINTS ? [fill(texts.morePins, { count: bar.spans.length - HINTS })] : [];
        const hint = [...bar.spans.slice(0, HINTS).map((one) => one.hint), ...more].join('\n');
        const name = others.length === 0 ? first!.label : fill(row.several, { count: bar.spans.length });
        return (
          <Box
            key={first!.id}
            component="button"
            type="button"
            title={hint}
            aria-label={hint}
            tabIndex={idOf(bar) === inTabOrder ? 0 : -1}
            onFocus={() => setReached(first!.id)}
            onClick={() => {
              clock.seek(first!.timeUs);
              row.onChoose(first!.id);
            }}
            sx={{
              position: 'absolute',
              height: BAR_PX,
              px: '5px',
              py: 0,
              border: 1,
              borderStyle: isFaded ? 'dashed' : 'solid',
              borderColor: isChosen ? 'text.primary' : 'surface.lineStrong',
              borderRadius: '3px',
              bgcolor: isChosen ? 'surface.selected' : 'surface.raised',
              color: isChosen ? 'text.primary' : 'text.secondary',
              font: 'inherit',
              fontSize: 11,
              lineHeight: `${BAR_PX - 2}px`,
              textAlign: 'left',
              whiteSpace: 'nowrap',
              overflow: 'hidden',
              textOverflow: 'ellipsis',
              cursor: 'pointer',
              pointerEvents: 'auto',
              '&:hover, &:focus-visible': { color: 'text.primary', borderColor: 'text.primary' },
            }}
            style={{ left: from, width: wide, top: (LANE_PX - BAR_PX) / 2 + bar.lane * LANE_PX }}
          >
            {wide > NAME_PX ? name : ''}
          </Box>
        );
      })}
    </Box>
  );
}
