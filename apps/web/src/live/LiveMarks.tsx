import { Box, Button } from '@mui/material';
import type { LiveSensor } from '@osprey/contract';
import { useEffect, useRef, useState } from 'react';
import { stateColours } from '../base/colours.ts';
import { fill, formatRemaining } from '../base/format.ts';
import { setText } from '../onscreen/set-text.ts';
import { liveMark } from './live-mark.ts';
import { ModeName } from './ModeMenu.tsx';
import { texts } from './texts.ts';
import type { LivePlayback } from './useLivePlayback.ts';
import { useLiveServices } from './useLiveServices.ts';
import { LATENCY_GOAL_MS } from './ways/live-source.ts';

type Props = { sensor: LiveSensor; playback: LivePlayback; onMode: () => void };

/** Interval in milliseconds at which the displayed latency is updated. */
const WRITE_MS = 500;
/**
 * Fixed widths: room for the longest latency, and for badge and button, so that elements do not move under the pointer
 * when others appear or disappear.
 */
const LATENCY_WIDTH = { xs: 40, sm: 48 };
const STATE_WIDTH = { xs: 52, sm: 68 };
const NUMBER = {
  fontWeight: 600,
  fontVariantNumeric: 'tabular-nums',
  textAlign: 'right',
  whiteSpace: 'nowrap',
} as const;

/**
 * Marks on the right of the title bar of a live picture, the most important first: its latency, whether it is live, and its
 * mode.
 */
export function LiveMarks({ sensor, playback, onMode }: Props) {
  const { clock } = useLiveServices();
  const { modes, playing, phase } = playback;
  const latency = useRef<HTMLSpanElement>(null);
  /** Delay in seconds while rewound or paused; null while live. */
  const [behindS, setBehindS] = useState<number | null>(null);
  const { mode } = modes;
  const isRewound = modes.rewind !== null;
  const goalMs = LATENCY_GOAL_MS[mode];

  useEffect(() => {
    const write = () => {
      const { latencyMs, paused, pictureAtMs, source } = playing.current;
      if (!latency.current) return;
      // While the picture is paused, its delay grows.
      const nowMs = latencyMs === null ? null : latencyMs + (paused ? performance.now() - pictureAtMs : 0);
      const isPaused = isRewound || paused || source?.isFollowing() === false;
      const mark = liveMark({ latencyMs: nowMs, goalMs, isPaused });
      setBehindS(mark.behindS);
      setText(latency.current, mark.text);
      const isLate = mark.behindS === null && nowMs !== null && nowMs > goalMs;
      latency.current.style.color = isLate ? stateColours.warning.dark : '';
      latency.current.dataset.latencyMs = nowMs === null ? '' : String(Math.round(nowMs));
    };
    write();
    const timer = setInterval(write, WRITE_MS);
    return () => clearInterval(timer);
  }, [playing, goalMs, isRewound]);

  const title = fill(texts.latencyTitle, { mode: texts.modes[mode], goal: goalMs / 1000 });
  return (
    <>
      <Box component="span" ref={latency} title={title} sx={{ ...NUMBER, minWidth: LATENCY_WIDTH }} />
      <Box
        sx={{ display: 'flex', justifyContent: 'flex-end', alignItems: 'center', height: 28, minWidth: STATE_WIDTH }}
      >
        {phase === 'playing' && sensor.state === 'online' && behindS === null && <LiveBadge />}
        {behindS !== null && (
          <Button
            onClick={() => {
              clock.lead(sensor._id);
              clock.leading()?.goLive();
            }}
            title={fill(texts.behind, { time: formatRemaining(behindS) })}
            sx={{
              height: 24,
              minWidth: STATE_WIDTH,
              px: 1,
              fontSize: 12,
              bgcolor: 'rgb(0 0 0 / 0.6)',
              color: 'inherit',
            }}
          >
            {texts.goLive}
          </Button>
        )}
      </Box>
      <ModeName modes={modes} onClick={onMode} />
    </>
  );
}

function LiveBadge() {
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 1.5,
        px: 1.5,
        borderRadius: 1,
        bgcolor: 'rgb(0 0 0 / 0.6)',
        fontSize: 11,
        fontWeight: 600,
        lineHeight: '20px',
      }}
    >
      <Box component="span" sx={{ width: 8, height: 8, borderRadius: '50%', bgcolor: stateColours.live.dark }} />
      {texts.badge}
    </Box>
  );
}
