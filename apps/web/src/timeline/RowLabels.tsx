import { mdiChartBar, mdiFilmstrip, mdiMapMarkerOutline, mdiMapMarkerPath } from '@mdi/js';
import { Box, Tooltip } from '@mui/material';
import { fill, formatNumber } from '../base/format.ts';
import { size } from '../base/sizes.ts';
import { useClockState } from '../onscreen/clock/useClock.ts';
import { isTelemetryAlone } from '../onscreen/playable.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { Action } from '../ui/Action.tsx';
import { CutName } from '../ui/CutName.tsx';
import { Icon } from '../ui/Icon.tsx';
import type { TimelineRowEntry } from './entry.ts';
import type { TimelineSpans } from './marks.ts';
import { useRowStyle } from './row-style.ts';
import { texts } from './texts.ts';

/** Minimum width for the durations of the mission and of its visible part, in px. */
const LEAST_PX = 116;

const rowStyles = { display: 'flex', alignItems: 'center', gap: 1.5, height: size.timelineRow, px: 2 } as const;

type Props = {
  entries: readonly TimelineRowEntry[];
  ink: string;
  head: string;
  /** Number of marks; if 0, there is no row of pins. */
  pins: number;
  /** The row of spans; null if there is none. */
  spans: (Pick<TimelineSpans, 'label' | 'icon' | 'count'> & { height: number }) | null;
};

/** Names of the rows. A filled square marks the leading sensor, an outlined one the others. */
export function RowLabels({ entries, ink, head, pins, spans }: Props) {
  const { clock } = useViewServices();
  const { leader } = useClockState(clock);
  return (
    <Box sx={{ minWidth: LEAST_PX, fontSize: 12, borderRight: 1, borderColor: 'surface.line', overflow: 'hidden' }}>
      <Box
        sx={{
          display: 'flex',
          justifyContent: 'space-between',
          height: size.timelineRuler,
          pl: 2,
          lineHeight: `${size.timelineRuler}px`,
          color: 'text.secondary',
          whiteSpace: 'nowrap',
          // The width of this text changes with the zoom, which must not change the layout of the rows.
          contain: 'inline-size',
        }}
      >
        {head}
        {head !== '' && <RowStyleAction />}
      </Box>
      {entries.map(({ sensor, timeline, failed, hint }) => (
        <Tooltip key={sensor._id} title={hint ?? hintOf({ sensor, timeline, failed })} placement="right">
          <Box sx={rowStyles}>
            <Box
              sx={{
                flex: 'none',
                width: 9,
                height: 9,
                border: `2px solid ${ink}`,
                bgcolor: leader === sensor._id ? ink : 'transparent',
              }}
            />
            <CutName name={sensor.name} />
            <Box component="span" sx={{ ml: 'auto', color: failed ? 'error.main' : 'text.secondary' }}>
              {failed ? '!' : heightOf(sensor)}
            </Box>
            {isTelemetryAlone(sensor) && (
              <Icon path={mdiMapMarkerPath} sx={{ fontSize: 14, flex: 'none', color: 'text.secondary' }} />
            )}
          </Box>
        </Tooltip>
      ))}
      {spans && <LastRow icon={spans.icon} label={spans.label} count={spans.count} height={spans.height} />}
      {pins > 0 && <LastRow icon={mdiMapMarkerOutline} label={texts.pins} count={pins} height={size.timelineRow} />}
    </Box>
  );
}

/** Button that exchanges pictures and bars. */
function RowStyleAction() {
  const [style, choose] = useRowStyle();
  const next = style === 'bars' ? 'pictures' : 'bars';
  return (
    <Action
      label={texts.rowStyles[next]}
      icon={style === 'bars' ? mdiFilmstrip : mdiChartBar}
      side="top"
      onClick={() => choose(next)}
      sx={{ width: size.timelineRuler, height: size.timelineRuler, p: 0, borderRadius: 1, '& svg': { fontSize: 14 } }}
    />
  );
}

type LastRowProps = { icon: string; label: string; count: number; height: number };

/** Name of a row that belongs to no sensor. */
function LastRow({ icon, label, count, height }: LastRowProps) {
  return (
    <Box sx={{ ...rowStyles, height }}>
      <Icon path={icon} sx={{ fontSize: 14, flex: 'none', mx: '-2.5px' }} />
      <Box component="span" sx={{ fontWeight: 600 }}>
        {label}
      </Box>
      <Box component="span" sx={{ ml: 'auto', color: 'text.secondary' }}>
        {formatNumber(count)}
      </Box>
    </Box>
  );
}

function hintOf({ sensor, timeline, failed }: TimelineRowEntry): string {
  if (failed) return fill(texts.rowFailed, { sensor: sensor.name });
  if (!timeline) return sensor.name;
  const text = isTelemetryAlone(sensor) ? texts.rowOfTelemetry : texts.row;
  const source = texts.sources[timeline.timeSource];
  return fill(text, { sensor: sensor.name, source: timeline.timeAssumed ? fill(texts.assumed, { source }) : source });
}

function heightOf({ hlsProps }: TimelineRowEntry['sensor']): string {
  const height = hlsProps?.renditions[0]?.height;
  return height === undefined ? '' : `${height}p`;
}
