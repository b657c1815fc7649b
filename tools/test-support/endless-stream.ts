import { PACKET_SIZE, packetPid, readPcr } from '../../packages/mpegts/src/packet.ts';
import { readTimestamp, writeTimestamp } from '../../packages/mpegts/src/pes.ts';
import { TICKS_PER_SECOND } from '../../packages/mpegts/src/timeline.ts';

const PCR_PER_TICK = 300;
/** Maximum step of the program clock that counts as elapsed time; a longer one is a cut in the file. */
const LONGEST_STEP = 2 * TICKS_PER_SECOND;

/**
 * Time at which each packet of a file is due, in 90 kHz ticks from its first packet, and total duration of the file.
 */
export type Schedule = { dueTicks: Float64Array; ticks: number };

/**
 * Derives the schedule from the first program clock in a stream of 188-byte packets. Jumps of the clock take no time.
 */
export function scheduleOf(bytes: Uint8Array): Schedule {
  const count = Math.floor(bytes.length / PACKET_SIZE);
  const dueTicks = new Float64Array(count);
  let pid = -1;
  let [last, lastClock, elapsed] = [0, -1, 0];
  for (let index = 0; index < count; index += 1) {
    const clock = clockAt(bytes, index * PACKET_SIZE);
    if (clock === null || (pid >= 0 && packetPid(bytes, index * PACKET_SIZE) !== pid)) continue;
    pid = packetPid(bytes, index * PACKET_SIZE);
    const step = lastClock < 0 || clock < lastClock || clock - lastClock > LONGEST_STEP ? 0 : clock - lastClock;
    for (let between = last; between < index; between += 1) {
      dueTicks[between] = elapsed + (step * (between - last)) / (index - last);
    }
    elapsed += step;
    [last, lastClock] = [index, clock];
  }
  dueTicks.fill(elapsed, last);
  // Packets after the last clock reference are assumed to have the same rate as those before it.
  const ticks = last === 0 ? TICKS_PER_SECOND : elapsed * (count / last);
  return { dueTicks, ticks };
}

/** Returns the program clock in a packet, in 90 kHz ticks; null if it has none. */
function clockAt(bytes: Uint8Array, at: number): number | null {
  const hasClock = (bytes[at + 3]! & 0x20) !== 0 && bytes[at + 4]! >= 7 && (bytes[at + 5]! & 0x10) !== 0;
  return hasClock ? readPcr(bytes, at + 6) / PCR_PER_TICK : null;
}

/**
 * Returns a function that makes the rounds of an endlessly repeated stream: program clock, PTS, DTS and continuity
 * counters of each round continue those of the previous one.
 */
export function endlessStream(bytes: Uint8Array, schedule = scheduleOf(bytes)) {
  const perRound = payloadsOf(bytes);
  const roundTicks = Math.round(schedule.ticks);

  return (round: number): Uint8Array => {
    if (round === 0) return bytes;
    const copy = Uint8Array.from(bytes);
    const shift = round * roundTicks;
    for (let at = 0; at + PACKET_SIZE <= copy.length; at += PACKET_SIZE) {
      const moved = (round * (perRound.get(packetPid(copy, at)) ?? 0)) & 0x0f;
      copy[at + 3] = (copy[at + 3]! & 0xf0) | ((copy[at + 3]! + moved) & 0x0f);
      moveTimes(copy, at, shift);
    }
    return copy;
  };
}

function payloadsOf(bytes: Uint8Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (let at = 0; at + PACKET_SIZE <= bytes.length; at += PACKET_SIZE) {
    if ((bytes[at + 3]! & 0x10) === 0) continue;
    const pid = packetPid(bytes, at);
    counts.set(pid, (counts.get(pid) ?? 0) + 1);
  }
  return counts;
}

function moveTimes(bytes: Uint8Array, at: number, shift: number): void {
  const hasField = (bytes[at + 3]! & 0x20) !== 0;
  if (clockAt(bytes, at) !== null) writePcr(bytes, at + 6, readPcr(bytes, at + 6) + shift * PCR_PER_TICK);
  const start = at + 4 + (hasField ? 1 + bytes[at + 4]! : 0);
  const isStart = (bytes[at + 1]! & 0x40) !== 0 && start + 19 <= at + PACKET_SIZE;
  if (!isStart || bytes[start] !== 0 || bytes[start + 1] !== 0 || bytes[start + 2] !== 1) return;
  // PES packets with stream ids from 0xbd on have flags, except 0xbf.
  const times = bytes[start + 3]! >= 0xbd && bytes[start + 3] !== 0xbf ? bytes[start + 7]! >> 6 : 0;
  if (times >= 2) writeTimestamp(bytes, start + 9, times, readTimestamp(bytes, start + 9) + shift);
  if (times === 3) writeTimestamp(bytes, start + 14, 1, readTimestamp(bytes, start + 14) + shift);
}

function writePcr(bytes: Uint8Array, at: number, pcr: number): void {
  const base = Math.floor(pcr / PCR_PER_TICK) % 2 ** 33;
  const extension = pcr % PCR_PER_TICK;
  const low = base % 2 ** 25;
  bytes[at] = Math.floor(base / 2 ** 25);
  bytes[at + 1] = low >> 17;
  bytes[at + 2] = low >> 9;
  bytes[at + 3] = low >> 1;
  bytes[at + 4] = ((low & 1) << 7) | 0x7e | (extension >> 8);
  bytes[at + 5] = extension & 0xff;
}
