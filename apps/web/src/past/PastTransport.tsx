import {
  mdiArrowExpandHorizontal,
  mdiChevronLeft,
  mdiChevronRight,
  mdiFastForward,
  mdiMagnifyMinusOutline,
  mdiMagnifyPlusOutline,
  mdiPause,
  mdiPlay,
  mdiRewind,
} from '@mdi/js';
import { Box, TextField } from '@mui/material';
import { useClockState } from '../onscreen/clock/useClock.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { ClockText } from '../timeline/ClockText.tsx';
import { SpeedMenu } from '../timeline/SpeedMenu.tsx';
import { Action } from '../ui/Action.tsx';
import { texts } from './texts.ts';
import { DAY_US } from './usePastServices.ts';

/** Playback speeds offered without video. */
const SPEEDS = [1, 2, 5, 10, 30, 60, 120, 300, 600] as const;
const SKIP_US = 600_000_000;

type Props = {
  dayUs: number;
  compact: boolean;
  onDay: (dayUs: number) => void;
  onZoom: (factor: number) => void;
  onZoomAll: () => void;
};

/** Controls for the day, the clock, and its playback. */
export function PastTransport({ dayUs, compact, onDay, onZoom, onZoomAll }: Props) {
  const { clock } = useViewServices();
  const { playing } = useClockState(clock);
  const button = compact ? { width: 44, height: 44 } : {};
  return (
    <Box
      role="toolbar"
      aria-label={texts.toolbar}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1,
        minHeight: 44,
        px: 2,
        '& svg': { fontSize: 20 },
      }}
    >
      <ClockText compact={compact} />
      <Box sx={{ display: 'flex', alignItems: 'center' }}>
        <Action label={texts.previous} icon={mdiChevronLeft} onClick={() => onDay(dayUs - DAY_US)} sx={button} />
        <TextField
          type="date"
          value={new Date(dayUs / 1000).toISOString().slice(0, 10)}
          slotProps={{ htmlInput: { 'aria-label': texts.day, min: '1970-01-01', max: '2200-12-31' } }}
          onChange={({ target }) => {
            const chosen = Date.parse(`${target.value}T00:00:00Z`) * 1000;
            if (Number.isSafeInteger(chosen)) onDay(chosen);
          }}
          sx={{ width: 150 }}
        />
        <Action label={texts.next} icon={mdiChevronRight} onClick={() => onDay(dayUs + DAY_US)} sx={button} />
      </Box>
      <Box sx={{ flex: 1 }} />
      <Action label={texts.back} icon={mdiRewind} onClick={() => clock.skip(-SKIP_US)} sx={button} />
      <Action
        label={playing ? texts.pause : texts.play}
        icon={playing ? mdiPause : mdiPlay}
        onClick={clock.toggle}
        sx={{
          width: compact ? 56 : 36,
          height: compact ? 44 : 34,
          color: 'text.primary',
          border: 1,
          borderColor: 'surface.lineStrong',
          bgcolor: 'surface.raised',
        }}
      />
      <Action label={texts.on} icon={mdiFastForward} onClick={() => clock.skip(SKIP_US)} sx={button} />
      <SpeedMenu speeds={SPEEDS} words={texts} />
      <Box sx={{ flex: 1 }} />
      {!compact && (
        <Box sx={{ display: 'flex', gap: 1 }}>
          <Action label={texts.zoomOut} icon={mdiMagnifyMinusOutline} onClick={() => onZoom(2)} />
          <Action label={texts.zoomIn} icon={mdiMagnifyPlusOutline} onClick={() => onZoom(0.5)} />
          <Action label={texts.zoomAll} icon={mdiArrowExpandHorizontal} onClick={onZoomAll} />
        </Box>
      )}
    </Box>
  );
}
