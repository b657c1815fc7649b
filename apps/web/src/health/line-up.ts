import type { KlvHealth, Sensor } from '@osprey/contract';

export type Sidecar = KlvHealth['sidecars'][number];

/**
 * The pictures of a sensor and one of its telemetry files, on one line. Microseconds; times from the first picture on.
 */
export type LineUp = {
  videoUs: number;
  telemetryUs: number;
  /** Where the file begins now. */
  beginsUs: number;
  /** Where it begins by what it says itself. */
  saysUs: number;
};

/** Null where there are no pictures to line it up with. */
export function lineUpOf({ startTime, endTime }: Sensor, sidecar: Sidecar): LineUp | null {
  if (startTime === null || endTime === null || sidecar.withinVideo === null) return null;
  const beginsUs = sidecar.startTime - startTime;
  return {
    videoUs: endTime - startTime,
    telemetryUs: sidecar.endTime - sidecar.startTime,
    beginsUs,
    saysUs: beginsUs - sidecar.offset,
  };
}

/** Returns whether any of the file is at the time of a picture when it begins there. */
export const meets = ({ videoUs, telemetryUs }: LineUp, beginsUs: number): boolean =>
  beginsUs <= videoUs && beginsUs + telemetryUs >= 0;

/**
 * Returns the range of the shift, whole seconds: from the file's end at the first picture to its beginning at the last
 * one.
 */
export function slideOf({ videoUs, telemetryUs }: LineUp): { min: number; max: number; step: number } {
  const [min, max] = [-Math.ceil(telemetryUs / 1e6), Math.ceil(videoUs / 1e6)];
  return { min, max, step: max - min > 1000 ? 1 : 0.1 };
}

/** Share of the line where the file may begin, in percent. */
export const slideShare = ({ videoUs, telemetryUs }: LineUp): number =>
  (100 * (videoUs + telemetryUs)) / Math.max(1, videoUs + 2 * telemetryUs);

/** Share of the line from `fromUs` to `toUs` at which a stretch begins, and how much of the line it takes, in percent. */
export function barOf({ videoUs, telemetryUs }: LineUp, fromUs: number, lengthUs: number) {
  const whole = Math.max(1, videoUs + 2 * telemetryUs);
  const from = Math.min(100, Math.max(0, (100 * (fromUs + telemetryUs)) / whole));
  return { left: from, width: Math.min(100 - from, (100 * lengthUs) / whole) };
}
