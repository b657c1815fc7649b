import { mdiClose } from '@mdi/js';
import { Box } from '@mui/material';
import { useMemo } from 'react';
import { fill, formatClock } from '../base/format.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { Action } from '../ui/Action.tsx';
import { smoothed, type TimelineHits } from './marks.ts';
import { type Span, xOf } from './scale.ts';
import { texts } from './texts.ts';

const HEIGHT = 28;
/** Minimum width of a bar in px, so that a bin of a long mission can still be clicked. */
const LEAST_PX = 3;

type Props = { hits: TimelineHits; span: Span; width: number; compact: boolean };

/** Two cells of the timeline: the query, and a chart of the times that match it. Clicking a bar plays from there. */
export function HitsRow({ hits, span, width, compact }: Props) {
  const { clock } = useViewServices();
  const { label, bins, binUs, onClose } = hits;
  const bars = useMemo(() => smoothed({ bins, binUs }), [bins, binUs]);
  const close = <Action label={texts.closeHits} icon={mdiClose} onClick={onClose} sx={{ width: 24, height: 24 }} />;
  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, pl: 3, minWidth: 0, fontSize: 12, overflow: 'hidden' }}>
        {!compact && (
          <>
            <Box component="span" sx={{ flex: 1, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
              {label}
            </Box>
            {close}
          </>
        )}
      </Box>
      <Box
        role="group"
        aria-label={label}
        sx={{ position: 'relative', height: HEIGHT, overflow: 'hidden', borderTop: 1, borderColor: 'surface.line' }}
      >
        <Box role="status" sx={{ display: 'grid', placeItems: 'center', height: '100%', color: 'text.secondary' }}>
          {bins === null ? texts.readingHits : bins.length === 0 ? texts.noVideo : null}
        </Box>
        {bars.map(({ timeUs, share }) => {
          const x = xOf(span, timeUs, width);
          const wide = Math.max(LEAST_PX, xOf(span, timeUs + binUs, width) - x);
          if (x + wide < 0 || x > width) return null;
          return (
            <Box
              key={timeUs}
              component="button"
              type="button"
              aria-label={fill(texts.hitAt, { clock: formatClock(timeUs), share: Math.round(share * 100) })}
              onClick={() => clock.seek(timeUs)}
              sx={{
                position: 'absolute',
                bottom: 0,
                p: 0,
                height: '100%',
                border: 0,
                cursor: 'pointer',
                bgcolor: 'transparent',
                display: 'flex',
                alignItems: 'flex-end',
              }}
              style={{ left: x, width: wide }}
            >
              <Box component="span" sx={{ width: 1, bgcolor: 'primary.main' }} style={{ height: `${share * 100}%` }} />
            </Box>
          );
        })}
        {compact && <Box sx={{ position: 'absolute', top: 2, right: 2 }}>{close}</Box>}
      </Box>
    </>
  );
}
