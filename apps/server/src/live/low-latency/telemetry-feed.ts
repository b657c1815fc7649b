import type { KlvMessage } from '../../recorder-wire/media-messages.ts';
import { type LiveTelemetry, telemetryDecoder } from './telemetry-decoder.ts';

export type TelemetryListener = (telemetry: LiveTelemetry) => void;

/** Time for which telemetry of a sensor is cached, in microseconds, since viewers by HLS see earlier pictures. */
const RETENTION_US = 20_000_000;
const RETAINED_SETS = 1000;

/**
 * Decodes the KLV of live sensors once for all listeners, and only while there are any. A new listener first gets the
 * last RETENTION_US of telemetry.
 */
export function telemetryFeed() {
  const decoded = telemetryDecoder();
  const listeners = new Map<string, Set<TelemetryListener>>();
  const retained = new Map<string, KlvMessage[]>();

  function push(frame: KlvMessage): void {
    keep(frame);
    const own = listeners.get(frame.sensorId);
    if (own === undefined) return;
    const telemetry = decoded(frame);
    if (telemetry !== null) for (const listener of own) listener(telemetry);
  }

  /** Caches a frame without decoding it, since most sensors have no viewer. */
  function keep(frame: KlvMessage): void {
    const own = retained.get(frame.sensorId) ?? [];
    retained.set(frame.sensorId, own);
    own.push({ ...frame, klv: Buffer.from(frame.klv) });
    const old = own.findIndex(({ arrivalUs }) => frame.arrivalUs - arrivalUs <= RETENTION_US);
    own.splice(0, Math.max(old, own.length - RETAINED_SETS));
  }

  return {
    push,
    /** Drops the cached telemetry, since it belongs to a recording that has ended and that had different viewers. */
    forget: (sensorId: string): void => void retained.delete(sensorId),
    /** Adds a listener; returns the function that removes it. */
    listen(sensorId: string, listener: TelemetryListener): () => void {
      for (const frame of retained.get(sensorId) ?? []) {
        const telemetry = decoded(frame);
        if (telemetry !== null) listener(telemetry);
      }
      const own = listeners.get(sensorId) ?? new Set();
      own.add(listener);
      listeners.set(sensorId, own);
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(sensorId) === own) listeners.delete(sensorId);
      };
    },
  };
}

export type TelemetryFeed = ReturnType<typeof telemetryFeed>;
