import type { Sensor, SensorTimeline } from '@osprey/contract';

/** One row of the timeline: a sensor with its recording, once that is known. */
export type TimelineEntry = { sensor: Sensor; timeline: SensorTimeline | null; failed: boolean };
