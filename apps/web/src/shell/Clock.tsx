import { Box, Tooltip } from '@mui/material';
import { useEffect, useState } from 'react';
import { fill, formatClock, formatDate, formatLocalTime } from '../base/format.ts';
import { texts } from '../base/texts.ts';

/** Clock with the time in UTC to the second, and local time on hover. Grey while the server is unreachable. */
export function Clock({ stale }: { stale: boolean }) {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const now = Date.now();
      setNowMs(now);
      timer = setTimeout(tick, 1000 - (now % 1000));
    };
    tick();
    return () => clearTimeout(timer);
  }, []);

  return (
    <Tooltip title={fill(texts.clock.local, { time: formatLocalTime(nowMs * 1000) })}>
      <Box
        role="timer"
        aria-label={texts.clock.label}
        aria-live="off"
        sx={{ display: 'flex', gap: 2, color: stale ? 'text.disabled' : 'text.secondary', whiteSpace: 'nowrap' }}
      >
        <Box component="span" sx={{ display: { xs: 'none', md: 'inline' } }}>
          {formatDate(nowMs * 1000)}
        </Box>
        <span>
          <Box component="span" sx={{ fontWeight: 600, color: stale ? 'text.disabled' : 'text.primary' }}>
            {formatClock(nowMs * 1000)}
          </Box>{' '}
          Z
        </span>
      </Box>
    </Tooltip>
  );
}
