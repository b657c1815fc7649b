import type { KlvFrame } from '../../recorder-wire/media-frames.ts';
import { type LiveTelemetry, telemetryDecoder } from './telemetry-decoder.ts';

export type TelemetryListener = (telemetry: LiveTelemetry) => void;

/** Viewers by HLS see earlier pictures: this much of their telemetry is kept for each sensor. */
const RETENTION_US = 20_000_000;
const RETAINED_SETS = 1000;

/**
 * Decodes the KLV of live sensors once for all listeners, and only while there are any. A new listener gets the last
 * seconds first.
 */
export function telemetryFeed() {
  const decoded = telemetryDecoder();
  const listeners = new Map<string, Set<TelemetryListener>>();
  const retained = new Map<string, KlvFrame[]>();

  function push(frame: KlvFrame): void {
    keep(frame);
    const own = listeners.get(frame.sensorId);
    if (own === undefined) return;
    const telemetry = decoded(frame);
    if (telemetry !== null) for (const listener of own) listener(telemetry);
  }

  /** Kept as bytes: most sensors have no viewer. */
  function keep(frame: KlvFrame): void {
    const own = retained.get(frame.sensorId) ?? [];
    retained.set(frame.sensorId, own);
    own.push({ ...frame, klv: Buffer.from(frame.klv) });
    const old = own.findIndex(({ arrivalUs }) => frame.arrivalUs - arrivalUs <= RETENTION_US);
    own.splice(0, Math.max(old, own.length - RETAINED_SETS));
  }

  return {
    push,
    /** Drops the telemetry so far: its recording has ended, and had viewers of its own. */
    forget: (sensorId: string): void => void retained.delete(sensorId),
    /** Returns the function that ends it. */
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
