import { useMemo } from 'react';
import { fill } from '../base/format.ts';
import { isTelemetryAlone, recordedSpans } from '../onscreen/playable.ts';
import type { SheetsSensor } from '../onscreen/sheets/sheets-sensor.ts';
import type { TimelineRowEntry } from './entry.ts';
import { Filmstrip } from './Filmstrip.tsx';
import { Gap } from './Gap.tsx';
import { histogramPath, lengthText, type Span, xOf } from './scale.ts';
import { texts } from './texts.ts';

type Props = {
  sensor: TimelineRowEntry['sensor'];
  /** The sensor whose pictures are shown in place of bars; null for bars. */
  pictures: SheetsSensor | null;
  timeline: NonNullable<TimelineRowEntry['timeline']>;
  span: Span;
  width: number;
  top: number;
  height: number;
  ink: string;
};

/** Minimum width of a gap that has room for its duration, in px. */
const LABEL_ROOM = 44;

/** Row of one sensor with its recorded spans, gaps, and pictures or number of targets. Part of the timeline's SVG. */
export function TimelineRow({ sensor, pictures, timeline, span, width, top, height, ink }: Props) {
  const inside = { height: height - 6, y: top + 3 };
  const stretches = useMemo(() => recordedSpans(sensor, timeline), [sensor, timeline]);
  const seen = stretches.filter((one) => one.endTime >= span.fromUs && one.startTime <= span.toUs);
  const isTrack = isTelemetryAlone(sensor);
  const gaps = timeline.gaps.filter((gap) => gap.end >= span.fromUs && gap.start <= span.toUs);
  const histogram = histogramPath(timeline.targets, timeline.startTime, span, { width, height: inside.height - 3 });
  const bars = histogram !== '' && (
    <path d={histogram} transform={`translate(0 ${inside.y + 3})`} fill={ink} fillOpacity={0.75} />
  );
  return (
    <g>
      {seen.map(({ startTime, endTime }) => {
        const box = boxOf(span, startTime, endTime, width);
        return (
          <g key={`${startTime}-${endTime}`} data-part={isTrack ? 'telemetry-stretch' : 'stretch'}>
            <rect {...box} {...inside} fill={ink} fillOpacity={isTrack ? 0.1 : 0.28} rx={1} />
            {/* A track is a line, pictures are a film with an upper edge. */}
            <rect {...box} y={isTrack ? inside.y + inside.height / 2 - 1 : inside.y} height={2} fill={ink} rx={1} />
          </g>
        );
      })}
      {pictures && !isTrack ? (
        <Filmstrip sensor={pictures} {...{ stretches, span, width }} y={inside.y + 2} height={inside.height - 2}>
          {bars}
        </Filmstrip>
      ) : (
        bars
      )}
      {gaps.map((gap) => {
        const length = lengthText(gap.end - gap.start);
        return (
          <Gap
            key={gap.start}
            box={boxOf(span, gap.start, gap.end, width)}
            inside={inside}
            hint={fill(texts.gap, { length })}
            words={length}
            wordsPx={LABEL_ROOM}
          />
        );
      })}
    </g>
  );
}

/** Returns the position of a span in px, at least one pixel wide and limited to the view. */
export function boxOf(span: Span, fromUs: number, toUs: number, width: number): { x: number; width: number } {
  const from = Math.max(0, xOf(span, fromUs, width));
  const to = Math.min(width, xOf(span, toUs, width));
  return { x: from, width: Math.max(1, to - from) };
}
