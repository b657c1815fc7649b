import { mdiMapMarkerPath } from '@mdi/js';
import { Box, Tooltip } from '@mui/material';
import { fill } from '../app/format.ts';
import { size } from '../app/sizes.ts';
import { useClockState } from '../clock/useClock.ts';
import { useParts } from '../player/parts.ts';
import { isTelemetryAlone } from '../player/playable.ts';
import { Icon } from '../ui/Icon.tsx';
import type { TimelineEntry } from './entry.ts';
import { texts } from './texts.ts';

type Props = { entries: readonly TimelineEntry[]; ink: string; head: string };

/** Names of the rows; a full square marks the leader, an open one the others. */
export function RowLabels({ entries, ink, head }: Props) {
  const { clock } = useParts();
  const { leader } = useClockState(clock);
  return (
    <Box sx={{ fontSize: 12, borderRight: 1, borderColor: 'surface.line', overflow: 'hidden' }}>
      <Box
        sx={{
          height: size.timelineRuler,
          px: 2,
          lineHeight: `${size.timelineRuler}px`,
          color: 'text.secondary',
          whiteSpace: 'nowrap',
        }}
      >
        {head}
      </Box>
      {entries.map(({ sensor, timeline, failed }) => (
        <Tooltip key={sensor._id} title={hintOf({ sensor, timeline, failed })} placement="right">
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, height: size.timelineRow, px: 2 }}>
            <Box
              sx={{
                flex: 'none',
                width: 9,
                height: 9,
                border: `2px solid ${ink}`,
                bgcolor: leader === sensor._id ? ink : 'transparent',
              }}
            />
            <Box
              component="span"
              sx={{ fontWeight: 600, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
            >
              {sensor.name}
            </Box>
            <Box component="span" sx={{ ml: 'auto', color: failed ? 'error.main' : 'text.secondary' }}>
              {failed ? '!' : heightOf(sensor)}
            </Box>
            {isTelemetryAlone(sensor) && (
              <Icon path={mdiMapMarkerPath} sx={{ fontSize: 14, flex: 'none', color: 'text.secondary' }} />
            )}
          </Box>
        </Tooltip>
      ))}
    </Box>
  );
}

function hintOf({ sensor, timeline, failed }: TimelineEntry): string {
  if (failed) return texts.rowFailed;
  if (!timeline) return sensor.name;
  const text = isTelemetryAlone(sensor) ? texts.rowOfTelemetry : texts.row;
  return fill(text, { sensor: sensor.name, source: texts.sources[timeline.timeSource] });
}

function heightOf({ hlsProps }: TimelineEntry['sensor']): string {
  const height = hlsProps?.renditions[0]?.height;
  return height === undefined ? '' : `${height}p`;
}
