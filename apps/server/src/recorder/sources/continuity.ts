import { PACKET_SIZE } from '@osprey/mpegts';

const NULL_PID = 0x1fff;
/** Length of a pause after which the sender may have restarted, with new counters. */
const PAUSE_MS = 1000;

/**
 * Counts missing transport packets by the continuity counters (ISO/IEC 13818-1, 2.4.3.3). The counters wrap at 16, so a
 * loss is counted modulo 16.
 */
export function continuityMeter() {
  const counters = new Int8Array(0x2000).fill(-1);
  let lastMs = Number.NEGATIVE_INFINITY;
  let lost = 0;

  function read(bytes: Uint8Array, at: number): void {
    const pid = ((bytes[at + 1]! & 0x1f) << 8) | bytes[at + 2]!;
    if (pid === NULL_PID) return;
    const hasPayload = (bytes[at + 3]! & 0x10) !== 0;
    const hasField = (bytes[at + 3]! & 0x20) !== 0;
    const isAnnounced = hasField && bytes[at + 4]! > 0 && (bytes[at + 5]! & 0x80) !== 0;
    const counter = bytes[at + 3]! & 0x0f;
    const before = counters[pid]!;
    counters[pid] = counter;
    // Packets without payload do not increment the counter, and a packet may be sent twice.
    if (before < 0 || isAnnounced || !hasPayload || counter === before) return;
    lost += (counter - before - 1) & 0x0f;
  }

  return {
    read(bytes: Uint8Array, nowMs: number): void {
      if (nowMs - lastMs > PAUSE_MS) counters.fill(-1);
      lastMs = nowMs;
      for (let at = 0; at < bytes.length; at += PACKET_SIZE) read(bytes, at);
    },
    lost: () => lost,
  };
}
