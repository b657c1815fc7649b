import type { Sensor, SensorTimeline } from '@osprey/contract';

/** Time from the first to the last recorded moment, both inclusive, in UTC microseconds. */
export type RecordedSpan = { startTime: number; endTime: number };

type Spanned = Pick<SensorTimeline, 'startTime' | 'endTime' | 'gaps'> & { runs: readonly RecordedSpan[] };

type Recorded = Pick<Sensor, 'hlsProps' | 'startTime' | 'state' | 'klv'>;

/**
 * Whether the sensor has telemetry but no picture: a track, metadata without video, or a video that is still being
 * converted. A running recording does not count, since its index cannot be queried yet.
 */
export const isTelemetryAlone = ({ hlsProps, startTime, state, klv }: Recorded): boolean =>
  hlsProps === null && startTime !== null && state !== 'Running' && klv !== null && klv.state !== 'none';

/** True if the sensor has pictures or telemetry that move with the clock. */
export const isPlayable = (sensor: Recorded): boolean => sensor.hlsProps !== null || isTelemetryAlone(sensor);

/**
 * Returns the sensor that leads until the user chooses: that of the link, else the first with a picture, else the first
 * that can be played.
 */
export function firstLeader<Of extends Recorded & { _id: string }>(sensors: readonly Of[], requested: string | null) {
  return (
    sensors.find(({ _id }) => _id === requested) ??
    sensors.find(({ hlsProps }) => hlsProps !== null) ??
    sensors.find(isPlayable) ??
    sensors[0]
  );
}

/**
 * Returns the spans in which the sensor recorded something to show: its pictures, or without pictures its telemetry.
 */
export function recordedSpans(sensor: Recorded, timeline: Spanned): readonly RecordedSpan[] {
  return isTelemetryAlone(sensor) ? telemetrySpans(timeline) : timeline.runs;
}

export function telemetrySpans({ startTime, endTime, gaps }: Omit<Spanned, 'runs'>): RecordedSpan[] {
  const starts = [startTime, ...gaps.map(({ end }) => end)];
  const ends = [...gaps.map(({ start }) => start), endTime];
  return starts.map((start, index) => ({ startTime: start, endTime: ends[index]! }));
}

export const spanAt = (spans: readonly RecordedSpan[], timeUs: number): RecordedSpan | null =>
  spans.find(({ startTime, endTime }) => timeUs >= startTime && timeUs <= endTime) ?? null;

/** Returns the first recorded moment at or after this one; null after the last span. */
export function recordedFrom(spans: readonly RecordedSpan[], timeUs: number): number | null {
  if (spanAt(spans, timeUs)) return timeUs;
  return spans.find(({ startTime }) => startTime > timeUs)?.startTime ?? null;
}

/** Returns the last recorded moment at or before this one; null before the first span. */
export function recordedUntil(spans: readonly RecordedSpan[], timeUs: number): number | null {
  if (spanAt(spans, timeUs)) return timeUs;
  return spans.findLast(({ endTime }) => endTime < timeUs)?.endTime ?? null;
}
