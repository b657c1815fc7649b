import { mdiClose, mdiEyeOffOutline } from '@mdi/js';
import { Box, Button, Drawer, LinearProgress } from '@mui/material';
import { LOOKBACK_SPANS_MAX, type Lookback } from '@osprey/contract';
import type { Point } from '@osprey/geo';
import { useLayoutEffect, useRef, useState } from 'react';
import { fill, formatCount } from '../base/format.ts';
import { size } from '../base/sizes.ts';
import { formatPlace } from '../base/units.ts';
import { Action } from '../ui/Action.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { LookbackRow } from './LookbackRow.tsx';
import { keyOfSpan } from './span-address.ts';
import { texts } from './texts.ts';
import { Unsure } from './Unsure.tsx';
import { useLookback } from './useLookback.ts';

const FIRST = 50;
const WIDTH_PX = 400;
/** Bottom offset that keeps the panel above the label bar and the menu bar of a phone. */
const ABOVE_BARS = `calc(${size.labelBar + size.bottomBar + 1}px + env(safe-area-inset-bottom))`;

type Props = { place: Point; onClose: () => void };

/**
 * Panel next to the page, which remains usable, with all periods in which a place was seen, newest first. It takes the
 * focus.
 */
export function LookbackPanel({ place, onClose }: Props) {
  const [limit, setLimit] = useState(FIRST);
  const { data, isPending, isFetching, error, refetch } = useLookback(place, limit);
  const panel = useFocusWhileOpen();
  useRoomOnPage();
  return (
    <Drawer
      variant="persistent"
      anchor="right"
      open
      slotProps={{
        paper: {
          component: 'section',
          ref: panel,
          tabIndex: -1,
          'aria-label': texts.title,
          onKeyDown: (event: React.KeyboardEvent) => event.key === 'Escape' && onClose(),
          sx: {
            width: { xs: '100%', sm: WIDTH_PX },
            // Leaves the label bars of the page visible, and the top bar where there is room for both.
            top: { xs: 'auto', sm: size.labelBar, lg: size.labelBar + size.topBar },
            bottom: { xs: ABOVE_BARS, sm: size.footer },
            height: { xs: '60%', sm: 'auto' },
            outline: 'none',
          },
        } as object,
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, p: 3, borderBottom: 1, borderColor: 'surface.line' }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Box component="h2" sx={{ m: 0, fontSize: 16 }}>
            {texts.title}
          </Box>
          <Box sx={{ color: 'text.secondary', fontSize: 12 }}>{fill(texts.place, { place: formatPlace(place) })}</Box>
        </Box>
        <Action label={texts.close} icon={mdiClose} onClick={onClose} />
      </Box>
      <Box sx={{ height: 4, flex: 'none' }}>{isFetching && <LinearProgress aria-label={texts.loading} />}</Box>
      <Box sx={{ flex: 1, overflow: 'auto', p: 2 }}>
        {error && <FailedNotice title={texts.failed} error={error} onRetry={refetch} />}
        {isPending && !error && <Box role="status">{texts.loading}</Box>}
        {data && (
          <>
            <Box role="status" sx={{ px: 1, pb: 1, fontSize: 12 }}>
              {data.spans.length > 0 && formatCount(data.spans.length, data.more ? texts.foundSome : texts.found)}
            </Box>
            {data.spans.length === 0 && <Empty found={data} />}
            <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
              {data.spans.map((span) => (
                <LookbackRow key={keyOfSpan(span)} span={span} />
              ))}
            </Box>
            {data.more && limit < LOOKBACK_SPANS_MAX && (
              <Button fullWidth disabled={isFetching} onClick={() => setLimit(LOOKBACK_SPANS_MAX)}>
                {texts.more}
              </Button>
            )}
            {data.more && limit === LOOKBACK_SPANS_MAX && !isFetching && (
              <Box sx={{ p: 1, fontSize: 12 }}>{fill(texts.most, { count: String(LOOKBACK_SPANS_MAX) })}</Box>
            )}
            <Unsure found={data} />
          </>
        )}
      </Box>
    </Drawer>
  );
}

/**
 * Moves the focus to the panel while it is open, and back to the map afterwards: the panel is the last element of the
 * page, which would be far from the map when navigating with Tab.
 */
function useFocusWhileOpen() {
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const own = panel.current;
    const before = document.activeElement;
    own?.focus({ preventScroll: true });
    return () => {
      if (own?.contains(document.activeElement) && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return panel;
}

/** Makes room next to the page if the window is wide, so that the queried map stays visible. */
function useRoomOnPage() {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    style.setProperty('--side-panel', `${WIDTH_PX}px`);
    return () => void style.removeProperty('--side-panel');
  }, []);
}

/** Shown for an empty list. The text says "never" only if everything was searched. */
function Empty({ found: { notIndexed, withoutPosition, uncertainClock } }: { found: Lookback }) {
  const isSure = notIndexed.count + withoutPosition.count + uncertainClock.count === 0;
  return (
    <Notice icon={mdiEyeOffOutline} title={isSure ? texts.never : texts.maybe} text={isSure ? texts.neverSure : ''} />
  );
}
