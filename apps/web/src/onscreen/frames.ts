import { type Footprint, footprintOf, type Point, type VisibleGround, visibleGroundOf } from '@osprey/geo';
import { frameSizeOf, type Target, targetsOf } from './targets.ts';
import { recent, setOf, type TagValue, type TelemetryRecord, valueAt, valuesOf } from './telemetry-store.ts';

/** Some senders repeat geometry or targets only in each second or third set: the newest this old still counts. */
const GEOMETRY_AGE_US = 500_000;

/** Telemetry older than this no longer says where the platform is. */
const STALE_US = 2_000_000;

/** Frame of one sensor on screen now. */
export type ShownFrame = {
  sensorId: string;
  /** UTC of the frame. */
  timeUs: number;
  /** The last record at or before the frame. */
  record: TelemetryRecord | null;
  /** Values of the record by tag; what the record itself holds, nothing older. */
  values: Record<string, TagValue>;
  footprint: Footprint | null;
  /** For the map alone, where the camera sees the horizon: the ground that counts. A picture with sky has no footprint. */
  cut: VisibleGround | null;
  platform: Point | null;
  headingDeg: number | null;
  /** The record is too old to be believed. */
  stale: boolean;
  targets: Target[];
  /** Pixels of the picture. */
  width: number;
  height: number;
};

export type FrameBus = ReturnType<typeof createFrameBus>;

/**
 * Carries each shown frame to panel, overlay and map in the same animation frame. Listeners draw at once and by hand,
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
    /** Removes all drawings of this sensor. */
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

/** Works out what belongs to each frame of one sensor, once for all who draw it. */
export function createFrameMaker(sensorId: string) {
  // Senders report the size of the picture only now and then.
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

/** Frame of a sensor without picture and telemetry, at first or any more. */
export const emptyFrame = (sensorId: string, timeUs: number): ShownFrame =>
  createFrameMaker(sensorId)({ timeUs, record: null, width: 0, height: 0 });

/** Asks the records from this one backwards, and returns the first answer that is not null. */
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

/** Latitude at the tag, longitude at the next. */
function pointOf(record: TelemetryRecord, tag: number): Point | null {
  const [lat, lon] = [numberOf(record, String(tag)), numberOf(record, String(tag + 1))];
  return lat === null || lon === null ? null : { lat, lon };
}
