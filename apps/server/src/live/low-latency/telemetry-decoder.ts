import type { LiveSocketMessage } from '@osprey/contract';
import { createKlvRecords } from '../../media/index/klv-records.ts';
import type { KlvMessage } from '../../recorder-wire/media-messages.ts';
import { type LiveRow, liveRow } from '../../telemetry/live-row.ts';

/** One decoded telemetry set of a live sensor. */
export type LiveTelemetry = LiveRow & {
  sensorId: string;
  /** PTS in 90 kHz ticks as in the stream; derived from the arrival time if the stream has no picture. */
  pts: number;
  /** PID of its KLV stream. */
  pid: number;
  /** UTC microseconds stated by the set itself, otherwise those of its arrival. */
  time: number;
  /** The JSON message for viewers; encoded once for all of them. */
  text: () => string;
};

const TICKS_PER_US = 0.09;
const WRAP = 2 ** 33;

/**
 * Decodes telemetry sets; null for a broken set or one with a wrong checksum, which must not move the marker on the
 * map.
 */
export function telemetryDecoder() {
  const records = createKlvRecords();

  function read(klv: Uint8Array) {
    try {
      const found = records.read(klv, 0, klv.length);
      return found === null || found.checksum === 'bad' ? null : found.record;
    } catch (error) {
      if (error instanceof Error && error.name === 'FormatError') return null;
      throw error;
    }
  }

  return ({ sensorId, arrivalUs, ptsTicks, pid, klv }: KlvMessage): LiveTelemetry | null => {
    const found = read(klv);
    if (found === null) return null;
    const pts = Number.isNaN(ptsTicks) ? Math.floor((arrivalUs * TICKS_PER_US) % WRAP) : ptsTicks;
    const time = found.timeUs ?? Math.round(arrivalUs);
    const row = liveRow({ record: found, bytes: klv });
    let message: string | null = null;
    const text = () => {
      message ??= JSON.stringify({ kind: 'telemetry', pts, pid, time, ...row } satisfies LiveSocketMessage);
      return message;
    };
    return { sensorId, pts, pid, time, ...row, text };
  };
}
