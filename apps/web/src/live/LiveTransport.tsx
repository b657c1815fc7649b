import { mdiFullscreen, mdiPause, mdiPlay, mdiRewind30 } from '@mdi/js';
import { Box, Button, Slider } from '@mui/material';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { fill, formatClock, formatDate, formatRemaining } from '../base/format.ts';
import { useClockState } from '../onscreen/clock/useClock.ts';
import { setText } from '../onscreen/set-text.ts';
import type { SelectionControl } from '../timeline/marks.ts';
import { SelectionText } from '../timeline/SelectionText.tsx';
import { clockParts } from '../timeline/scale.ts';
import { SelectionButtons, ZoomButtons } from '../timeline/Transport.tsx';
import { Action } from '../ui/Action.tsx';
import { Icon } from '../ui/Icon.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { StateDot } from '../ui/StateDot.tsx';
import { texts } from './texts.ts';
import { useLiveServices } from './useLiveServices.ts';

type Props = {
  compact: boolean;
  onFullScreen: () => void;
  /** True if the leading stream is lost and no other stream has a picture. */
  noPicture: boolean;
  /** True if the timeline is shown below, which shows the position of the picture. */
  rows: boolean;
  /** Properties of the zoom buttons; null if there is no timeline. */
  zoom: ComponentProps<typeof ZoomButtons> | null;
  /** Left out: there are no In and Out points, or they are shown elsewhere. */
  selection: SelectionControl | undefined;
};

const THIRTY_SECONDS_US = 30_000_000;

/** Maximum distance from the end of the buffered video, in seconds, that still counts as live. */
const AT_LIVE_S = 5;

/**
 * Container query for a narrow bar. If the bar is next to the map, the time, buttons and slider get all the space that
 * there is.
 */
const NARROW = '@container (max-width: 640px)';

/**
 * Controls below the players: the leading sensor's time, pause, skip back, a slider over the buffered video, and return
 * to live.
 */
export function LiveTransport({ compact, onFullScreen, noPicture, rows, zoom, selection }: Props) {
  const { clock } = useLiveServices();
  const { playing, leader, startUs, endUs } = useClockState(clock);
  const { show } = useSnackbar();
  useEffect(
    () => clock.onFirstRetained((startUs) => show(fill(texts.firstRetained, { time: formatClock(startUs) }), 'info')),
    [clock, show],
  );
  const disabled = leader === null;
  const touch = compact ? { minWidth: 44, minHeight: 44 } : {};
  return (
    <Box
      role="toolbar"
      aria-label={texts.transport}
      sx={{
        containerType: 'inline-size',
        containerName: 'transport',
        display: 'flex',
        alignItems: 'center',
        gap: compact ? 1 : 2,
        minHeight: compact ? 56 : 40,
        px: 2,
      }}
    >
      {noPicture ? <NoPicture compact={compact} /> : <LiveTime compact={compact} />}
      <Action
        label={playing ? texts.pause : texts.play}
        icon={playing ? mdiPause : mdiPlay}
        disabled={disabled}
        onClick={clock.toggle}
        sx={{ width: 36, height: 34, color: 'text.primary', border: 1, borderColor: 'surface.lineStrong', ...touch }}
      />
      <Button
        disabled={disabled}
        startIcon={<Icon path={mdiRewind30} />}
        onClick={() => clock.skip(-THIRTY_SECONDS_US)}
        sx={{ flex: 'none', ...touch }}
      >
        {texts.back30}
      </Button>
      {compact ? <Box sx={{ flex: 1 }} /> : <Way startUs={startUs} endUs={endUs} />}
      {!compact && <SelectionButtons />}
      {selection && <SelectionText {...selection} />}
      {endUs > startUs && (
        <Button
          startIcon={<StateDot state="live" />}
          onClick={() => clock.leading()?.goLive()}
          sx={{ flex: 'none', ...touch }}
        >
          {texts.goLive}
        </Button>
      )}
      {!compact && rows && zoom && <ZoomButtons {...zoom} />}
      {compact && (
        <Action label={texts.fullScreen} icon={mdiFullscreen} disabled={disabled} onClick={onFullScreen} sx={touch} />
      )}
    </Box>
  );
}

/** Text in place of a clock that stands still. */
function NoPicture({ compact }: { compact: boolean }) {
  const { clock } = useLiveServices();
  const lastUs = clock.timeUs();
  return (
    <Box
      component="span"
      role="status"
      data-part="mission-clock"
      sx={{ minWidth: compact ? 0 : 200, fontSize: 13, fontWeight: 600, [NARROW]: { minWidth: 0 } }}
    >
      {lastUs > 0 ? fill(texts.noPictureSince, { time: formatClock(lastUs) }) : texts.noPicture}
    </Box>
  );
}

/** Shows the UTC time of the leading sensor's picture. */
function LiveTime({ compact }: { compact: boolean }) {
  const { clock } = useLiveServices();
  const time = useRef<HTMLSpanElement>(null);
  const date = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const notify = (timeUs: number) => {
      setText(time.current, clockParts(timeUs)[0]);
      setText(date.current, formatDate(timeUs));
    };
    if (clock.timeUs() > 0) notify(clock.timeUs());
    return clock.onTime(notify);
  }, [clock]);
  return (
    <Box
      component="span"
      data-part="mission-clock"
      sx={{ whiteSpace: 'nowrap', minWidth: compact ? 0 : 200, [NARROW]: { minWidth: 0 } }}
    >
      <Box component="span" ref={time} sx={{ fontSize: compact ? 16 : 20, fontWeight: 600 }}>
        {texts.noTime}
      </Box>
      <Box component="span" sx={{ fontSize: 13, color: 'text.secondary' }}>
        {' Z '}
      </Box>
      <Box
        component="span"
        ref={date}
        sx={{
          fontSize: 12,
          color: 'text.secondary',
          ml: 2,
          display: compact ? 'none' : 'inline',
          [NARROW]: { display: 'none' },
        }}
      />
    </Box>
  );
}

/**
 * Slider from the oldest buffered picture to the newest, in seconds before the newest; empty if only live is available.
 * It does not show the age of the picture, which the player shows: the newest buffered picture is itself some seconds
 * old.
 */
function Way({ startUs, endUs }: { startUs: number; endUs: number }) {
  const { clock } = useLiveServices();
  const toSeconds = (timeUs: number) => Math.min(0, Math.round((timeUs - clock.get().endUs) / 1e6));
  const [place, setPlace] = useState(() => toSeconds(clock.timeUs()));
  const [requested, setRequested] = useState<number | null>(null);
  useEffect(
    () => clock.onTime((timeUs) => setPlace(Math.min(0, Math.round((timeUs - clock.get().endUs) / 1e6)))),
    [clock],
  );
  if (endUs <= startUs) return <Box sx={{ flex: 1 }} />;

  return (
    <Box sx={{ flex: 1, display: 'flex', alignItems: 'center', gap: 3, minWidth: 80, px: 2 }}>
      <Slider
        size="small"
        aria-label={texts.position}
        min={Math.min(-1, toSeconds(startUs))}
        max={0}
        value={requested ?? place}
        getAriaValueText={behindText}
        valueLabelDisplay="auto"
        valueLabelFormat={behindText}
        onChange={(_event, next) => setRequested(Number(next))}
        onChangeCommitted={(_event, next) => {
          setRequested(null);
          clock.seek(clock.get().endUs + Number(next) * 1e6);
        }}
      />
    </Box>
  );
}

const behindText = (seconds: number): string =>
  -seconds < AT_LIVE_S ? texts.atLive : fill(texts.positionValue, { time: formatRemaining(-seconds) });
