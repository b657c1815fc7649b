import { mdiAccessPoint } from '@mdi/js';
import { Box } from '@mui/material';
import { type HeardReceiver, NO_PLATFORM_NAME, type PastRecording } from '@osprey/contract';
import { type KeyboardEvent, useRef } from 'react';
import { platformInk } from '../base/colours.ts';
import { fill, formatClock, plainText } from '../base/format.ts';
import { size } from '../base/sizes.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { Gap } from '../timeline/Gap.tsx';
import { Playhead } from '../timeline/Playhead.tsx';
import { lengthText, type Span, xOf, zoomAround } from '../timeline/scale.ts';
import { boxOf } from '../timeline/TimelineRow.tsx';
import { TimeSlider } from '../timeline/TimeSlider.tsx';
import { useTimelineView, useWidth } from '../timeline/useTimelineView.ts';
import { useTrackPointer } from '../timeline/useTrackPointer.ts';
import { Icon } from '../ui/Icon.tsx';
import { useScheme } from '../ui/StateDot.tsx';
import { PastTransport } from './PastTransport.tsx';
import { gapsOf } from './silent.ts';
import { texts } from './texts.ts';

/** Minimum width of a gap that has room for its text, in px. */
const WORDS_PX = 76;
const ROW = size.timelineRow;

type Props = {
  dayUs: number;
  receivers: readonly HeardReceiver[];
  recordings: readonly PastRecording[];
  compact: boolean;
  onDay: (dayUs: number) => void;
  onOpen: (recording: PastRecording) => void;
};

/** Timeline of one day: when each receiver was on, and what was recorded. */
export function PastTimeline({ dayUs, receivers, recordings, compact, onDay, onOpen }: Props) {
  const { clock } = useViewServices();
  const track = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const width = useWidth(track);
  const { span, fullSpan, now, setSpan, showAll } = useTimelineView();
  const { handlers } = useTrackPointer({ track, area, now, setSpan, scrubs: compact });
  const sensors = sensorsOf(recordings);
  const rows = receivers.length + sensors.length;
  const height = size.timelineRuler + rows * ROW;
  const zoom = (factor: number) => setSpan(zoomAround(span, factor, clock.timeUs(), fullSpan));

  function onKeyDown(event: KeyboardEvent) {
    const stepUs = { ArrowLeft: -60e6, ArrowRight: 60e6, PageDown: -3600e6, PageUp: 3600e6 }[event.key];
    if (stepUs !== undefined) clock.skip(stepUs);
    else if (event.key === ' ') clock.toggle();
    else if (event.key === '+' || event.key === '=') zoom(0.5);
    else if (event.key === '-') zoom(2);
    else return;
    event.preventDefault();
  }

  return (
    <Box sx={{ bgcolor: 'surface.panel', minWidth: 0, borderRadius: { xs: 0, sm: 1 }, overflow: 'hidden' }}>
      <PastTransport {...{ dayUs, compact, onDay }} onZoom={zoom} onZoomAll={showAll} />
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: `${compact ? 96 : 200}px minmax(0, 1fr)`,
          borderTop: 1,
          borderColor: 'surface.line',
          maxHeight: size.timelineRuler + 7.5 * ROW,
          overflowY: 'auto',
        }}
      >
        <Box sx={{ fontSize: 12, borderRight: 1, borderColor: 'surface.line', overflow: 'hidden' }}>
          <Box
            sx={{ height: size.timelineRuler, px: 2, lineHeight: `${size.timelineRuler}px`, color: 'text.secondary' }}
          >
            {/* A phone has no room for both. */}
            {compact ? lengthOf(span) : fill(texts.spanOf, { shown: lengthOf(span), all: lengthOf(fullSpan) })}
          </Box>
          {receivers.map((receiver) => (
            <Label key={keyOf(receiver)} name={nameOf(receiver)} ink={null} />
          ))}
          {sensors.map(({ first }) => (
            <Label
              key={first.sensorId}
              name={`${plainText(first.mission)} ${plainText(first.sensor)}`}
              ink={first.color}
            />
          ))}
        </Box>
        <Box ref={area} sx={{ position: 'relative', minWidth: 0 }}>
          <TimeSlider
            {...{ track, fullSpan, span, width, height, handlers, onKeyDown }}
            label={texts.timeline}
            rows={receivers.map((receiver, index) => (
              <ReceiverRow
                key={keyOf(receiver)}
                {...{ receiver, span, fullSpan, width }}
                top={size.timelineRuler + index * ROW}
              />
            ))}
          >
            <Playhead span={span} width={width} slider={track} compact={false} />
          </TimeSlider>
          {sensors.map(({ first, all }, index) => (
            <RecordingRow
              key={first.sensorId}
              {...{ recordings: all, span, width, onOpen }}
              top={size.timelineRuler + (receivers.length + index) * ROW}
            />
          ))}
        </Box>
      </Box>
    </Box>
  );
}

const lengthOf = ({ fromUs, toUs }: Span) => lengthText(toUs - fromUs);
const keyOf = ({ sensor, missionName }: HeardReceiver) => `${sensor} ${missionName}`;

export const nameOf = ({ platformName, sensorName, missionName }: HeardReceiver): string => {
  const platform = platformName === NO_PLATFORM_NAME ? null : platformName;
  const name = plainText([platform, sensorName].filter(Boolean).join(' '));
  return missionName === null ? name : fill(texts.recordedWith, { name, mission: plainText(missionName) });
};

/** Groups recordings by sensor, since those of one sensor share a row. */
function sensorsOf(recordings: readonly PastRecording[]): { first: PastRecording; all: PastRecording[] }[] {
  const sensors = new Map<string, PastRecording[]>();
  for (const one of recordings) sensors.set(one.sensorId, [...(sensors.get(one.sensorId) ?? []), one]);
  return [...sensors.values()].map((all) => ({ first: all[0]!, all }));
}

/** Label of a row; `ink` is null for a receiver. */
function Label({ name, ink }: { name: string; ink: string | null }) {
  const scheme = useScheme();
  return (
    <Box title={name} sx={{ display: 'flex', alignItems: 'center', gap: 1.5, height: ROW, px: 2 }}>
      {ink === null ? (
        <Icon path={mdiAccessPoint} sx={{ fontSize: 14, flex: 'none', mx: '-2.5px' }} />
      ) : (
        <Box sx={{ flex: 'none', width: 9, height: 9, bgcolor: platformInk(ink, scheme) }} />
      )}
      <Box
        component="span"
        sx={{ fontWeight: 600, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
      >
        {name}
      </Box>
    </Box>
  );
}

type RowProps = { span: Span; width: number; top: number };

function ReceiverRow({ receiver, span, fullSpan, width, top }: RowProps & { receiver: HeardReceiver; fullSpan: Span }) {
  const inside = { y: top + 5, height: ROW - 10 };
  const name = nameOf(receiver);
  const seen = ({ fromUs, toUs }: Span) => toUs >= span.fromUs && fromUs <= span.toUs;
  // Time in the future does not count as a gap.
  const until = Math.min(fullSpan.toUs, Date.now() * 1000);
  const gaps = gapsOf(receiver.spans, { fromUs: fullSpan.fromUs, toUs: until }).filter(seen);
  const times = ({ fromUs, toUs }: Span) => ({ receiver: name, from: formatClock(fromUs), to: formatClock(toUs) });
  return (
    <g>
      {receiver.spans
        .map(([fromUs, toUs]) => ({ fromUs, toUs }))
        .filter(seen)
        .map((one) => (
          <rect
            key={one.fromUs}
            data-part="heard"
            {...boxOf(span, one.fromUs, one.toUs, width)}
            {...inside}
            rx={1}
            fill="var(--mui-palette-text-secondary)"
            fillOpacity={0.45}
          >
            <title>{fill(texts.heard, times(one))}</title>
          </rect>
        ))}
      {gaps.map((gap) => (
        <Gap
          key={gap.fromUs}
          part="no-receiver"
          box={boxOf(span, gap.fromUs, gap.toUs, width)}
          inside={inside}
          hint={fill(texts.gap, times(gap))}
          words={texts.noReceiver}
          wordsPx={WORDS_PX}
        />
      ))}
    </g>
  );
}

type RecordingProps = RowProps & { recordings: readonly PastRecording[]; onOpen: (recording: PastRecording) => void };

/** Recordings over the track; clicking one opens its mission. */
function RecordingRow({ recordings, span, width, top, onOpen }: RecordingProps) {
  const scheme = useScheme();
  return recordings.map((one) => {
    if (one.to < span.fromUs || one.from > span.toUs) return null;
    const from = Math.max(0, xOf(span, one.from, width));
    const wide = Math.max(4, Math.min(width, xOf(span, one.to, width)) - from);
    const { mission, sensor, color } = one;
    const words = { mission: plainText(mission), sensor: plainText(sensor) };
    const hint = fill(texts.recorded, { ...words, from: formatClock(one.from), to: formatClock(one.to) });
    const ink = platformInk(color, scheme);
    return (
      <Box
        key={one.from}
        component="button"
        type="button"
        title={hint}
        aria-label={hint}
        onClick={() => onOpen(one)}
        sx={{
          ...{
            position: 'absolute',
            height: ROW - 8,
            p: 0,
            border: 0,
            borderTop: 2,
            borderRadius: '2px',
            cursor: 'pointer',
          },
          borderColor: ink,
          bgcolor: `color-mix(in srgb, ${ink} 35%, transparent)`,
          '&:hover, &:focus-visible': { bgcolor: ink },
        }}
        style={{ left: from, width: wide, top: top + 4 }}
      />
    );
  });
}
