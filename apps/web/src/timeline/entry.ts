import type { Sensor, SensorTimeline } from '@osprey/contract';
import type { RecordedSpan } from '../onscreen/playable.ts';
import type { SheetsSensor } from '../onscreen/sheets/sheets-sensor.ts';

/** Row of the timeline: a sensor with its recording, which is null until it is loaded. */
export type TimelineEntry = { sensor: Sensor; timeline: SensorTimeline | null; failed: boolean };

/** Fields needed to render a row; a stream that is not recorded has only these. */
export type TimelineRowEntry = {
  sensor: Pick<Sensor, '_id' | 'name' | 'hlsProps' | 'startTime' | 'state' | 'klv'>;
  timeline: RowTimeline | null;
  failed: boolean;
  /** The recorded sensor whose pictures the row shows; left out for a stream of which none are stored. */
  pictures?: SheetsSensor;
  /** Tooltip that replaces that of a recording. */
  hint?: string;
};

export type RowTimeline = Pick<SensorTimeline, 'startTime' | 'endTime' | 'timeSource' | 'gaps' | 'targets'> & {
  timeAssumed?: boolean | undefined;
  runs: readonly RecordedSpan[];
};
