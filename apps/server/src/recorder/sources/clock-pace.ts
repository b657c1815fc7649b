import { setTimeout as rest } from 'node:timers/promises';
import { PACKET_SIZE } from '@osprey/mpegts';

const TICKS_PER_MS = 90;
/** Longest step of the program clock (PCR) that is waited for; a longer step is a discontinuity. */
const STEP_MAX_MS = 2000;
/** Packets are sent up to this long before they are due, so that not every PCR needs a timer. */
const AHEAD_MS = 20;

/** Delays transport packets until they are due by the program clock references (PCR) that they contain. */
export function clockPace(signal: AbortSignal) {
  let pid = -1;
  let lastClockMs = 0;
  let dueMs = performance.now();

  function step(clockMs: number): void {
    const by = clockMs - lastClockMs;
    lastClockMs = clockMs;
    if (by > 0 && by < STEP_MAX_MS) dueMs += by;
    // After a discontinuity, pacing restarts from the present time, so that lost time is not caught up.
    else dueMs = performance.now();
  }

  return async function* pace(packets: Buffer): AsyncGenerator<Buffer> {
    let from = 0;
    for (let at = 0; at < packets.length; at += PACKET_SIZE) {
      const clockMs = clockOf(packets, at);
      if (clockMs === null || (pid >= 0 && pidOf(packets, at) !== pid)) continue;
      pid = pidOf(packets, at);
      step(clockMs);
      const waitMs = dueMs - performance.now();
      if (waitMs < AHEAD_MS) continue;
      if (at > from) yield packets.subarray(from, at);
      from = at;
      await rest(waitMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
    }
    if (from < packets.length) yield packets.subarray(from);
  };
}

const pidOf = (bytes: Buffer, at: number): number => bytes.readUInt16BE(at + 1) & 0x1fff;

/**
 * Returns the program clock reference (PCR) of a packet (ISO/IEC 13818-1, 2.4.3.5) in milliseconds; null if the packet
 * has none.
 */
function clockOf(bytes: Buffer, at: number): number | null {
  const hasClock = (bytes[at + 3]! & 0x20) !== 0 && bytes[at + 4]! >= 7 && (bytes[at + 5]! & 0x10) !== 0;
  if (!hasClock) return null;
  return (bytes.readUInt32BE(at + 6) * 2 + (bytes[at + 10]! >> 7)) / TICKS_PER_MS;
}
