import { mdiLanDisconnect } from '@mdi/js';
import { Box, Button } from '@mui/material';
import { useEffect, useState } from 'react';
import { fill, formatClock } from '../base/format.ts';
import { texts } from '../base/texts.ts';
import { useEvents } from '../events/events.ts';
import { Icon } from '../ui/Icon.tsx';

/** Minimum time offline before the banner is shown, in milliseconds. */
const BANNER_DELAY_MS = 1500;

/**
 * Banner that states since when the server cannot be reached, and the time of the next attempt. Data that is already
 * loaded remains visible below it.
 */
export function OfflineBanner() {
  const { offlineSince, nextTryAt, tryNow } = useEvents();
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    if (offlineSince === null) return;
    const timer = setInterval(() => setNowMs(Date.now()), 500);
    return () => clearInterval(timer);
  }, [offlineSince]);

  if (offlineSince === null || nowMs - offlineSince < BANNER_DELAY_MS) return null;
  const seconds = nextTryAt === null ? null : Math.max(1, Math.ceil((nextTryAt - nowMs) / 1000));
  return (
    <Box
      role="alert"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 2,
        px: 4,
        py: 1,
        bgcolor: 'color-mix(in srgb, var(--mui-palette-warning-main) 18%, transparent)',
      }}
    >
      <Icon path={mdiLanDisconnect} sx={{ color: 'warning.main' }} />
      <span>{fill(texts.offline.banner, { time: formatClock(offlineSince * 1000) })}</span>
      <Box component="span" aria-live="off" sx={{ ml: 'auto', color: 'text.secondary' }}>
        {seconds === null ? texts.offline.trying : fill(texts.offline.next, { seconds })}
      </Box>
      <Button variant="text" onClick={tryNow}>
        {texts.offline.now}
      </Button>
    </Box>
  );
}
