import type { ClipContainer } from '@osprey/contract';

/** A zip above this size is made in the background. */
export const BACKGROUND_BYTES = 2 * 2 ** 30;

export type ClipChoice = {
  missionId: string;
  sensorId: string;
  inUs: number;
  outUs: number;
  container: ClipContainer;
  /** A zip with what was cut and the sums. */
  sidecar: boolean;
  /** All sensors of the mission, which is a zip too. */
  allSensors: boolean;
};

/** ISO 8601 to the microsecond. */
export function isoOf(timeUs: number): string {
  const whole = new Date(Math.floor(timeUs / 1000)).toISOString();
  return `${whole.slice(0, -1)}${String(((timeUs % 1000) + 1000) % 1000).padStart(3, '0')}Z`;
}

/** Path of the download, below the server's own address. */
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

/** A kept clip: with its proof as a zip, or as a file that opens by double click. */
export const savedAddress = (id: string, container: ClipContainer): string =>
  `/api/clips/${id}/export?${container === 'ts' ? 'sidecar=true' : `format=${container}`}`;

/** The same for the telemetry of the span. */
export function telemetryAddress(
  { missionId, sensorId, inUs, outUs }: Omit<ClipChoice, 'container' | 'sidecar' | 'allSensors'>,
  format: string,
): string {
  const query = new URLSearchParams({ format, markIn: isoOf(inUs), markOut: isoOf(outUs) });
  return `/api/sensors/exportTelemetry/${missionId}/${sensorId}?${query}`;
}

/** Download of the ring of a live sensor that is not recorded. */
export const keptAddress = (sensorId: string): string => `/api/live/${sensorId}/export`;

/** Starts a download of the browser itself: the file does not pass through this page. */
export function startDownload(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  link.click();
}
