import { Box } from '@mui/material';
import type { Mission } from '@osprey/contract';
import { type KeyboardEvent, type ReactNode, useMemo, useRef } from 'react';
import { platformInk } from '../base/colours.ts';
import { fill } from '../base/format.ts';
import { size } from '../base/sizes.ts';
import { isPlayable, recordedSpans } from '../onscreen/playable.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { useScheme } from '../ui/StateDot.tsx';
import type { TimelineEntry, TimelineRowEntry } from './entry.ts';
import { HitsRow } from './HitsRow.tsx';
import { HoverPicture } from './HoverPicture.tsx';
import { lanesOf } from './lanes.ts';
import {
  between,
  type Selection,
  type SelectionControl,
  sortMarks,
  type TimelineExtras,
  type TimelineMark,
  type TimelineSpan,
} from './marks.ts';
import { Overview } from './Overview.tsx';
import { COMPACT_PINS_PX, Pins } from './Pins.tsx';
import { Playhead } from './Playhead.tsx';
import { RowLabels } from './RowLabels.tsx';
import { useRowStyle } from './row-style.ts';
import { SelectionEnds } from './SelectionEnds.tsx';
import { SelectionText } from './SelectionText.tsx';
import { SpansRow, spansHeight } from './SpansRow.tsx';
import { lengthText, type Span, zoomAround } from './scale.ts';
import { boxOf, TimelineRow } from './TimelineRow.tsx';
import { TimeSlider } from './TimeSlider.tsx';
import { Transport } from './Transport.tsx';
import { texts } from './texts.ts';
import { useTimelineView, useWidth } from './useTimelineView.ts';
import { useTrackPointer } from './useTrackPointer.ts';

/** Maximum width of the names of the rows, in px. */
const LABELS_MOST_PX = 208;

/**
 * Renders the transport of a live view in place of that of a recording, given functions to zoom and the current
 * selection.
 */
export type ViewTransport = (services: {
  onZoom: (factor: number) => void;
  onZoomAll: () => void;
  selection: SelectionControl | undefined;
}) => ReactNode;

type Props = {
  mission: Pick<Mission, 'sensors'> & { platform: Pick<Mission['platform'], 'presentation'> };
  /** Without labels and overview, for a phone. */
  compact: boolean;
  /** If false, only the transport is shown. */
  rows: boolean;
} & (
  | { entries: readonly TimelineEntry[]; live?: undefined }
  | {
      entries: readonly TimelineRowEntry[];
      /** For rows of live streams: their own transport, and the text shown if nothing of them is stored. */
      live: { transport: ViewTransport; nothing: string };
    }
) &
  TimelineExtras;

/** Rows of a mission have the pictures of their own sensors. */
function useEntries({ entries, live }: Props): readonly TimelineRowEntry[] {
  return useMemo(
    () => (live ? entries : entries.map((entry) => ({ ...entry, pictures: entry.sensor }))),
    [entries, live],
  );
}

const noMarks: readonly TimelineMark[] = [];
const noSpans: readonly TimelineSpan[] = [];

/** Timeline of a mission: transport, ruler, one row per sensor, pins, selection, overview, playhead. */
export function Timeline(props: Props) {
  const { mission, compact, rows, live, marks = noMarks, selection, hits, spans } = props;
  const entries: readonly TimelineRowEntry[] = useEntries(props);
  const [rowStyle] = useRowStyle();
  const { clock } = useViewServices();
  const track = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const width = useWidth(track, rows);
  const { span, fullSpan, now, setSpan, showAll } = useTimelineView();
  const select = selection && ((oneUs: number, otherUs: number) => selection.onChange(between(oneUs, otherUs)));
  const { hover, handlers } = useTrackPointer({ track, area, now, setSpan, scrubs: compact, select });
  const ink = platformInk(mission.platform.presentation.color, useScheme());
  const sorted = useMemo(() => sortMarks(marks), [marks]);
  const laid = useMemo(() => lanesOf(compact ? noSpans : (spans?.spans ?? noSpans)), [spans?.spans, compact]);
  const spansTop = size.timelineRuler + entries.length * size.timelineRow;
  const spansHigh = spansHeight(laid.lanes);
  const pinsTop = spansTop + spansHigh;
  const pinsHeight = compact ? COMPACT_PINS_PX : size.timelineRow;
  const rowAt = hover ? Math.floor((hover.y - size.timelineRuler) / size.timelineRow) : -1;
  const empty = entries.every(hasNothing);
  const hasPins = !empty && sorted.marks.length > 0;
  const height = pinsTop + (hasPins ? pinsHeight : 0);
  const selected = !empty && selection && (selection.inUs !== null || selection.outUs !== null) ? selection : undefined;
  // A recording that is shown whole needs no overview.
  const hasOverview = !compact && (live !== undefined || span.toUs - span.fromUs < fullSpan.toUs - fullSpan.fromUs);
  const hovered = entries[Math.max(0, rowAt)] ?? entries[0];

  const zoom = (factor: number) => setSpan(zoomAround(span, factor, clock.timeUs(), fullSpan));
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === '+' || event.key === '=') zoom(0.5);
    else if (event.key === '-') zoom(2);
  }

  const overview = hasOverview && (
    <>
      <span />
      <Overview
        fullSpan={fullSpan}
        span={span}
        width={width}
        ranges={entries.flatMap(({ sensor, timeline }) => (timeline ? recordedSpans(sensor, timeline) : []))}
        ink={ink}
        onSpan={setSpan}
      />
    </>
  );

  return (
    <Box component="section" aria-label={texts.timeline} sx={{ bgcolor: 'surface.panel', minWidth: 0 }}>
      {(live?.transport ?? transportOfRecording(compact))({
        onZoom: zoom,
        onZoomAll: showAll,
        selection: compact ? undefined : selected,
      })}
      {compact && selected && <SelectionText {...selected} />}
      {rows && (
        <Box
          sx={{
            display: 'grid',
            gridTemplateColumns: compact ? '0 minmax(0, 1fr)' : `fit-content(${LABELS_MOST_PX}px) minmax(0, 1fr)`,
            borderTop: 1,
            borderColor: 'surface.line',
          }}
        >
          {/* Above a recording, so that its rows stay where the pointer zooms. */}
          {!live && overview}
          {compact ? (
            <span />
          ) : (
            <RowLabels
              entries={entries}
              ink={ink}
              pins={hasPins ? sorted.marks.length : 0}
              spans={spans && spansHigh > 0 ? { ...spans, height: spansHigh } : null}
              head={empty ? '' : fill(texts.spanOf, { shown: lengthOf(span), all: lengthOf(fullSpan) })}
            />
          )}
          <Box ref={area} sx={{ position: 'relative', minWidth: 0 }}>
            <TimeSlider
              {...{ track, fullSpan, span, width, height, handlers, onKeyDown }}
              label={texts.timeline}
              hasRuler={!empty}
              rows={
                <>
                  {entries.map(({ sensor, timeline, ...entry }, index) => {
                    const top = size.timelineRuler + index * size.timelineRow;
                    const row = { span, width, top, height: size.timelineRow, ink };
                    const pictures = rowStyle === 'bars' ? null : (entry.pictures ?? null);
                    return timeline && <TimelineRow key={sensor._id} {...{ sensor, pictures, timeline }} {...row} />;
                  })}
                  {selected && <SelectedPart {...selected} {...{ span, width, height }} />}
                </>
              }
            >
              {!empty && <Playhead span={span} width={width} slider={track} compact={compact} />}
            </TimeSlider>
            {empty && (
              <Box
                sx={{
                  position: 'absolute',
                  inset: `${size.timelineRuler}px 0 0`,
                  display: 'grid',
                  placeItems: 'center',
                  color: 'text.secondary',
                  pointerEvents: 'none',
                }}
              >
                {live?.nothing ?? texts.noVideo}
              </Box>
            )}
            {spans && spansHigh > 0 && (
              <SpansRow row={spans} bars={laid.bars} {...span} width={width} top={spansTop} height={spansHigh} />
            )}
            {hasPins && (
              <Pins
                sorted={sorted}
                sensors={mission.sensors}
                {...span}
                width={width}
                top={pinsTop}
                height={pinsHeight}
                compact={compact}
              />
            )}
            {selected && <SelectionEnds selection={selected} {...{ span, fullSpan, width }} onSpan={setSpan} />}
            {hover && <HoverPicture sensor={hovered?.pictures ?? null} hover={hover} width={width} />}
          </Box>
          {hits && !empty && <HitsRow {...{ hits, span, width, compact }} />}
          {live && overview}
        </Box>
      )}
    </Box>
  );
}

const transportOfRecording =
  (compact: boolean): ViewTransport =>
  (services) => <Transport compact={compact} {...services} />;

/** Returns whether the sensor's timeline is loaded and has nothing to play. */
const hasNothing = ({ sensor, timeline }: TimelineRowEntry) =>
  timeline === null ? !isPlayable(sensor) : recordedSpans(sensor, timeline).length === 0;

const lengthOf = ({ fromUs, toUs }: Span) => lengthText(toUs - fromUs);

type SelectedProps = Selection & { span: Span; width: number; height: number };

/** Highlights the part from In to Out. */
function SelectedPart({ inUs, outUs, span, width, height }: SelectedProps) {
  if (inUs === null || outUs === null || outUs < span.fromUs || inUs > span.toUs) return null;
  const part = boxOf(span, inUs, outUs, width);
  return (
    <rect
      data-part="selection"
      {...part}
      y={0}
      height={height}
      fill="var(--mui-palette-primary-main)"
      fillOpacity={0.14}
    />
  );
}
