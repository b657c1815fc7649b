import type { KlvHealth, Sensor } from '@osprey/contract';

export type Sidecar = KlvHealth['sidecars'][number];

/**
 * Time ranges of the pictures of a sensor and of one of its telemetry files, in microseconds, relative to the first
 * picture.
 */
export type LineUp = {
  videoUs: number;
  telemetryUs: number;
  /** Time at which the file begins with its present shift. */
  beginsUs: number;
  /** Time at which the file begins according to its own time stamps, without a shift. */
  saysUs: number;
};

/** Returns the time ranges; null if there are no pictures with which the file could be lined up. */
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

/** Whether any part of the file overlaps the pictures if the file begins at `beginsUs`. */
export const meets = ({ videoUs, telemetryUs }: LineUp, beginsUs: number): boolean =>
  beginsUs <= videoUs && beginsUs + telemetryUs >= 0;

/**
 * Returns the range of the beginning in whole seconds: from where the file ends at the first picture, to where it
 * begins at the last one.
 */
export function slideOf({ videoUs, telemetryUs }: LineUp): { min: number; max: number; step: number } {
  const [min, max] = [-Math.ceil(telemetryUs / 1e6), Math.ceil(videoUs / 1e6)];
  return { min, max, step: max - min > 1000 ? 1 : 0.1 };
}

/** Returns the share of the line within which the file may begin, in percent. */
export const slideShare = ({ videoUs, telemetryUs }: LineUp): number =>
  (100 * (videoUs + telemetryUs)) / Math.max(1, videoUs + 2 * telemetryUs);

/**
 * Returns the position and width of a bar on the line, both in percent of the line, for a time range that begins at
 * `fromUs` and lasts `lengthUs`.
 */
export function barOf({ videoUs, telemetryUs }: LineUp, fromUs: number, lengthUs: number) {
  const whole = Math.max(1, videoUs + 2 * telemetryUs);
  const from = Math.min(100, Math.max(0, (100 * (fromUs + telemetryUs)) / whole));
  return { left: from, width: Math.min(100 - from, (100 * lengthUs) / whole) };
}
