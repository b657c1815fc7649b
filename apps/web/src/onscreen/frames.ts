import { type Footprint, footprintOf, type Point, type VisibleGround, visibleGroundOf } from '@osprey/geo';
import { frameSizeOf, type Target, targetsOf } from './targets.ts';
import { recent, setOf, type TagValue, type TelemetryRecord, valueAt, valuesOf } from './telemetry-store.ts';

/**
 * Maximum age at which geometry or targets still count, in microseconds, since some senders repeat them only in every
 * second or third set.
 */
const GEOMETRY_AGE_US = 500_000;

/** Age from which telemetry is too old for the position of the platform, in microseconds. */
const STALE_US = 2_000_000;

/** Frame of one sensor that is on screen now. */
export type ShownFrame = {
  sensorId: string;
  /** Time of the frame, in UTC microseconds. */
  timeUs: number;
  /** Last telemetry record at or before the frame. */
  record: TelemetryRecord | null;
  /** Values of the record by tag; only those in the record itself, none from older ones. */
  values: Record<string, TagValue>;
  footprint: Footprint | null;
  /** Visible ground, for the map only, if the camera sees the horizon: a picture that includes sky has no footprint. */
  cut: VisibleGround | null;
  platform: Point | null;
  headingDeg: number | null;
  /** The record is too old for its values to be reliable. */
  stale: boolean;
  targets: Target[];
  /** Size of the picture in pixels. */
  width: number;
  height: number;
};

export type FrameBus = ReturnType<typeof createFrameBus>;

/**
 * Delivers each shown frame to panel, overlay and map in the same animation frame. Listeners draw synchronously,
 * without React.
 */
export function createFrameBus() {
  const latest = new Map<string, ShownFrame>();
  const listeners = new Set<(frame: ShownFrame) => void>();
  return {
    latest: (sensorId: string) => latest.get(sensorId) ?? null,
    all: () => [...latest.values()],
    publish(frame: ShownFrame) {
      latest.set(frame.sensorId, frame);
      for (const listener of listeners) listener(frame);
    },
    /** Removes everything drawn for this sensor. */
    forget(sensorId: string) {
      const last = latest.get(sensorId);
      if (!last) return;
      latest.delete(sensorId);
      for (const listener of listeners) listener(emptyFrame(sensorId, last.timeUs));
    },
    subscribe(listener: (frame: ShownFrame) => void) {
      listeners.add(listener);
      for (const frame of latest.values()) listener(frame);
      return () => void listeners.delete(listener);
    },
  };
}

type Shown = { timeUs: number; record: TelemetryRecord | null; width: number; height: number };

/** Computes the data of each frame of one sensor, once for all that draw it. */
export function createFrameMaker(sensorId: string) {
  // Last reported size of the picture, which senders report only occasionally.
  const size: { width: number | null; height: number | null } = { width: null, height: null };

  function targetsAt({ record, timeUs, width, height }: Shown, footprint: Footprint | null): Target[] {
    if (!record || timeUs - record.timeUs > GEOMETRY_AGE_US) return [];
    const vmti = newest(record, GEOMETRY_AGE_US, (one) => setOf(one, '74'));
    const stated = frameSizeOf(vmti);
    size.width = stated.width ?? size.width;
    size.height = stated.height ?? size.height;
    return targetsOf(vmti, { width: size.width ?? width, height: size.height ?? height, footprint });
  }

  return (shown: Shown): ShownFrame => {
    const { timeUs, record, width, height } = shown;
    const nothing = {
      values: {},
      footprint: null,
      cut: null,
      platform: null,
      headingDeg: null,
      stale: true,
      targets: [],
    };
    if (!record) return { sensorId, timeUs, record, width, height, ...nothing };
    const footprint = newest(record, GEOMETRY_AGE_US, (one) => footprintOf(valuesOf(one)));
    return {
      sensorId,
      timeUs,
      record,
      values: valuesOf(record),
      footprint,
      cut: footprint ? null : newest(record, GEOMETRY_AGE_US, (one) => visibleGroundOf(valuesOf(one))),
      platform: newest(record, STALE_US, (one) => pointOf(one, 13)),
      headingDeg: newest(record, STALE_US, (one) => numberOf(one, '5')),
      stale: timeUs - record.timeUs > STALE_US,
      targets: targetsAt(shown, footprint),
      width,
      height,
    };
  };
}

/** Returns a frame for a sensor without picture and telemetry, at first or after they ended. */
export const emptyFrame = (sensorId: string, timeUs: number): ShownFrame =>
  createFrameMaker(sensorId)({ timeUs, record: null, width: 0, height: 0 });

/** Calls `ask` with this record and those before it, and returns the first answer that is not null. */
function newest<Answer>(
  record: TelemetryRecord,
  ageUs: number,
  ask: (one: TelemetryRecord) => Answer | null,
): Answer | null {
  for (const one of recent(record, ageUs)) {
    const answer = ask(one);
    if (answer !== null) return answer;
  }
  return null;
}

function numberOf(record: TelemetryRecord, tag: string): number | null {
  const value = valueAt(record, tag);
  return typeof value === 'number' ? value : null;
}

/** Returns the point whose latitude is at the tag and whose longitude is at the next one. */
function pointOf(record: TelemetryRecord, tag: number): Point | null {
  const [lat, lon] = [numberOf(record, String(tag)), numberOf(record, String(tag + 1))];
  return lat === null || lon === null ? null : { lat, lon };
}
