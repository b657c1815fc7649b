import type { Sensor, SensorTimeline } from '@osprey/contract';
import type { RecordedSpan } from '../onscreen/playable.ts';

/** One row of the timeline: a sensor with its recording, once that is known. */
export type TimelineEntry = { sensor: Sensor; timeline: SensorTimeline | null; failed: boolean };

/** Fields that a row draws; a stream that is not recorded has no others. */
export type TimelineRowEntry = {
  sensor: Pick<Sensor, '_id' | 'name' | 'hlsProps' | 'startTime' | 'state' | 'klv'>;
  timeline: RowTimeline | null;
  failed: boolean;
  /** In place of the tooltip of a recording. */
  hint?: string;
};

export type RowTimeline = Pick<SensorTimeline, 'startTime' | 'endTime' | 'timeSource' | 'gaps' | 'targets'> & {
  timeAssumed?: boolean | undefined;
  runs: readonly RecordedSpan[];
};
