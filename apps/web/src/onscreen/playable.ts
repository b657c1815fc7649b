import type { Sensor, SensorTimeline } from '@osprey/contract';

/** UTC microseconds, both ends counted. */
export type Stretch = { startTime: number; endTime: number };

type Recorded = Pick<Sensor, 'hlsProps' | 'startTime' | 'state' | 'klv'>;

/**
 * There is telemetry to follow and no picture: a track, metadata without video, or a video that is still being converted.
 * What is being recorded has no index to be asked yet.
 */
export const isTelemetryAlone = ({ hlsProps, startTime, state, klv }: Recorded): boolean =>
  hlsProps === null && startTime !== null && state !== 'Running' && klv !== null && klv.state !== 'none';

/** It has something that moves with the clock. */
export const isPlayable = (sensor: Recorded): boolean => sensor.hlsProps !== null || isTelemetryAlone(sensor);

/** The sensor that leads until somebody chooses: that of the link, else the first with a picture, else the first that plays. */
export function firstLeader<Of extends Recorded & { _id: string }>(sensors: readonly Of[], wanted: string | null) {
  return (
    sensors.find(({ _id }) => _id === wanted) ??
    sensors.find(({ hlsProps }) => hlsProps !== null) ??
    sensors.find(isPlayable) ??
    sensors[0]
  );
}

/** When a sensor has something to show: pictures, or where it has none the files of its telemetry. */
export function coverageOf(sensor: Recorded, timeline: SensorTimeline): readonly Stretch[] {
  return isTelemetryAlone(sensor) ? telemetryCoverage(timeline) : timeline.runs;
}

export function telemetryCoverage({ startTime, endTime, gaps }: SensorTimeline): Stretch[] {
  const starts = [startTime, ...gaps.map(({ end }) => end)];
  const ends = [...gaps.map(({ start }) => start), endTime];
  return starts.map((start, index) => ({ startTime: start, endTime: ends[index]! }));
}

export const stretchAt = (coverage: readonly Stretch[], timeUs: number): Stretch | null =>
  coverage.find(({ startTime, endTime }) => timeUs >= startTime && timeUs <= endTime) ?? null;

/** The first covered moment at or behind this one; null behind the last. */
export function coveredFrom(coverage: readonly Stretch[], timeUs: number): number | null {
  if (stretchAt(coverage, timeUs)) return timeUs;
  return coverage.find(({ startTime }) => startTime > timeUs)?.startTime ?? null;
}

/** The last covered moment at or before this one; null before the first. */
export function coveredUntil(coverage: readonly Stretch[], timeUs: number): number | null {
  if (stretchAt(coverage, timeUs)) return timeUs;
  return coverage.findLast(({ endTime }) => endTime < timeUs)?.endTime ?? null;
}
