import type { ClipContainer } from '@osprey/contract';

/** Size in bytes above which a zip is made in the background. */
export const BACKGROUND_BYTES = 2 * 2 ** 30;

export type ClipChoice = {
  missionId: string;
  sensorId: string;
  inUs: number;
  outUs: number;
  container: ClipContainer;
  /** Whether to return a zip that also contains a description of the cuts, and checksums. */
  sidecar: boolean;
  /** Whether to export all sensors of the mission, which also makes a zip. */
  allSensors: boolean;
};

/** Formats UTC microseconds in ISO 8601, with microseconds. */
export function isoOf(timeUs: number): string {
  const whole = new Date(Math.floor(timeUs / 1000)).toISOString();
  return `${whole.slice(0, -1)}${String(((timeUs % 1000) + 1000) % 1000).padStart(3, '0')}Z`;
}

/** Returns the path of the download, relative to the server. */
export function clipAddress({ missionId, sensorId, inUs, outUs, container, sidecar, allSensors }: ClipChoice): string {
  const query = new URLSearchParams({
    markIn: isoOf(inUs),
    markOut: isoOf(outUs),
    ...(container !== 'ts' && { format: container }),
    ...(sidecar && { sidecar: 'true' }),
    ...(allSensors && { allSensors: 'true' }),
  });
  return `/api/sensors/exportVideo/${missionId}/${sensorId}?${query}`;
}

/**
 * Returns the address of a kept clip: a zip with its proof for `ts`, or a file that opens by double click for other
 * containers.
 */
export const savedAddress = (id: string, container: ClipContainer): string =>
  `/api/clips/${id}/export?${container === 'ts' ? 'sidecar=true' : `format=${container}`}`;

/** Returns the address of the telemetry of a span. */
export function telemetryAddress(
  { missionId, sensorId, inUs, outUs }: Omit<ClipChoice, 'container' | 'sidecar' | 'allSensors'>,
  format: string,
): string {
  const query = new URLSearchParams({ format, markIn: isoOf(inUs), markOut: isoOf(outUs) });
  return `/api/sensors/exportTelemetry/${missionId}/${sensorId}?${query}`;
}

/** Returns the address from which the ring buffer of a live sensor that is not recorded can be downloaded. */
export const keptAddress = (sensorId: string): string => `/api/live/${sensorId}/export`;

/** Starts a download by the browser; the file does not pass through this page. */
export function startDownload(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  link.click();
}
