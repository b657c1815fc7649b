import {
  mdiArrowExpandHorizontal,
  mdiFastForward10,
  mdiMagnifyMinusOutline,
  mdiMagnifyPlusOutline,
  mdiPause,
  mdiPlay,
  mdiRewind10,
  mdiSkipNext,
  mdiSkipPrevious,
  mdiStepBackward,
  mdiStepForward,
} from '@mdi/js';
import { Box, Button, Tooltip } from '@mui/material';
import { useClockState } from '../onscreen/clock/useClock.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { Action } from '../ui/Action.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { ClockText } from './ClockText.tsx';
import { type SelectionControl, setEnd, useSelection } from './marks.ts';
import { SelectionText } from './SelectionText.tsx';
import { SpeedMenu } from './SpeedMenu.tsx';
import { texts } from './texts.ts';

type Props = {
  compact: boolean;
  /** In and Out; omitted if there are none, or they are shown elsewhere. */
  selection?: SelectionControl | undefined;
  onZoom: (factor: number) => void;
  onZoomAll: () => void;
};

const TEN_SECONDS_US = 10_000_000;

/**
 * Style that keeps everything on one line, since another line would move the timeline under the pointer. In and Out use
 * the free room; the date is hidden first, below `datePx`.
 */
const oneLine = (datePx: number) => ({
  containerType: 'inline-size',
  containerName: 'transport',
  [`@container transport (max-width: ${datePx - 0.05}px)`]: {
    '& [data-part="mission-date"]': { display: 'none' },
  },
});

/** Minimum width of the line with its date, and with In and Out too, in px. */
const DATE_PX = { alone: 740, selection: 940 } as const;

/** Line above the timeline with the clock, playback buttons, and zoom. */
export function Transport({ compact, selection, onZoom, onZoomAll }: Props) {
  const { clock } = useViewServices();
  const { show } = useSnackbar();
  const { playing, startUs, endUs, leader } = useClockState(clock);
  /** Wraps an action, which shows a message instead if no sensor leads, so that there is nothing to play. */
  const withMaster = (act: () => void) => () => (leader === null ? show(texts.noMaster, 'error') : act());
  const height = compact ? 48 : 40;
  const button = compact ? { width: 40, height: 40 } : {};

  return (
    <Box
      role="toolbar"
      aria-label={texts.transport}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: compact ? 0 : 1,
        // A second line appears only in a window too narrow for the shortest form of the selection.
        ...(compact
          ? { height }
          : { ...oneLine(selection ? DATE_PX.selection : DATE_PX.alone), minHeight: height, flexWrap: 'wrap' }),
        px: 2,
        '& svg': { fontSize: 20 },
      }}
    >
      <ClockText compact={compact} />
      <Box sx={{ flex: 1 }} />
      {!compact && (
        <Action label={texts.start} icon={mdiSkipPrevious} onClick={withMaster(() => clock.seek(startUs))} />
      )}
      <Action
        label={texts.back10}
        icon={mdiRewind10}
        onClick={withMaster(() => clock.skip(-TEN_SECONDS_US))}
        sx={button}
      />
      <Action
        label={texts.frameBack}
        icon={mdiStepBackward}
        onClick={withMaster(() => void clock.step(-1))}
        sx={button}
      />
      <Action
        label={playing ? texts.pause : texts.play}
        icon={playing ? mdiPause : mdiPlay}
        onClick={withMaster(clock.toggle)}
        sx={{
          width: compact ? 56 : 36,
          height: compact ? 44 : 34,
          color: 'text.primary',
          border: 1,
          borderColor: 'surface.lineStrong',
          bgcolor: 'surface.raised',
        }}
      />
      <Action label={texts.frameOn} icon={mdiStepForward} onClick={withMaster(() => void clock.step(1))} sx={button} />
      <Action
        label={texts.on10}
        icon={mdiFastForward10}
        onClick={withMaster(() => clock.skip(TEN_SECONDS_US))}
        sx={button}
      />
      {!compact && <Action label={texts.end} icon={mdiSkipNext} onClick={withMaster(() => clock.seek(endUs))} />}
      <SpeedMenu />
      <Box sx={{ flex: 1 }} />
      {!compact && <SelectionButtons />}
      {selection && <SelectionText {...selection} />}
      {!compact && <ZoomButtons onZoom={onZoom} onZoomAll={onZoomAll} />}
    </Box>
  );
}

export const ZoomButtons = ({ onZoom, onZoomAll }: Pick<Props, 'onZoom' | 'onZoomAll'>) => (
  <Box sx={{ display: 'flex', gap: 1, ml: 'auto' }}>
    <Action label={texts.zoomOut} icon={mdiMagnifyMinusOutline} onClick={() => onZoom(2)} />
    <Action label={texts.zoomIn} icon={mdiMagnifyPlusOutline} onClick={() => onZoom(0.5)} />
    <Action label={texts.zoomAll} icon={mdiArrowExpandHorizontal} onClick={onZoomAll} />
  </Box>
);

const endStyle = { height: 28, px: 2, color: 'text.primary' } as const;

/** Buttons for In and Out, on pages where a selection can be made. */
export function SelectionButtons() {
  const { clock } = useViewServices();
  const selection = useSelection();
  if (selection === null) return null;
  const set = (end: 'inUs' | 'outUs') => () => selection.onChange(setEnd(selection, end, clock.timeUs()));
  return (
    <>
      <Tooltip title={`${texts.setIn} (I)`}>
        <Button aria-label={texts.setIn} onClick={set('inUs')} sx={endStyle}>
          {texts.selectionIn}
        </Button>
      </Tooltip>
      <Tooltip title={`${texts.setOut} (O)`}>
        <Button aria-label={texts.setOut} onClick={set('outUs')} sx={endStyle}>
          {texts.selectionOut}
        </Button>
      </Tooltip>
    </>
  );
}
