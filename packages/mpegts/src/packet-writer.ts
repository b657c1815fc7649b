import { PACKET_SIZE, PID_COUNT, SYNC_BYTE } from './packet.ts';

/** Fields for the first packet of a unit, in addition to its payload. */
export type PacketMarks = {
  /** Program clock in 90 kHz ticks, wrapped to 33 bits when written; null for none. */
  pcrTicks?: number | null;
  randomAccess?: boolean;
  /** Sets the discontinuity indicator: the clock or the continuity counter restarts here. */
  discontinuity?: boolean;
};

/** Writes packets into one buffer that is reused after each `take`. */
export type PacketWriter = {
  /**
   * Writes a PES packet, or a section with its pointer field, divided into transport packets; stuffing is placed in
   * adaptation fields.
   */
  unit(pid: number, bytes: Uint8Array, marks?: PacketMarks): void;
  /** Writes a section (given without pointer field), padded with 0xFF. */
  section(pid: number, bytes: Uint8Array): void;
  /** Writes a packet that contains only a program clock. */
  clock(pid: number, marks: PacketMarks): void;
  /** Copies a packet, keeping its continuity counter. */
  copy(bytes: Uint8Array, at: number): void;
  /** Copies the consecutive whole packets in [from, to). */
  copyRun(bytes: Uint8Array, from: number, to: number): void;
  /** Writes a packet without payload that signals a discontinuity, for the stream of the packet at `at`. */
  mark(bytes: Uint8Array, at: number): void;
  /** Returns the packets written since the last call; valid until the next one is written. */
  take(): Uint8Array;
};

const HEAD = 4;
/** Size of an adaptation field with length, flags and a program clock. */
const CLOCK_FIELD = 8;
const FIRST_SIZE = 1024 * PACKET_SIZE;

/** Creates a writer whose continuity counters begin at 0. */
export function createPacketWriter(): PacketWriter {
  const counters = new Uint8Array(PID_COUNT);
  let buffer = new Uint8Array(FIRST_SIZE);
  let length = 0;

  /** Reserves space for one packet and returns its offset. */
  function next(): number {
    if (length + PACKET_SIZE > buffer.length) {
      const larger = new Uint8Array(buffer.length * 2);
      larger.set(buffer);
      buffer = larger;
    }
    length += PACKET_SIZE;
    return length - PACKET_SIZE;
  }

  function head(at: number, pid: number, isStart: boolean, control: number, counter: number) {
    buffer[at] = SYNC_BYTE;
    buffer[at + 1] = (isStart ? 0x40 : 0) | (pid >> 8);
    buffer[at + 2] = pid & 0xff;
    buffer[at + 3] = control | counter;
  }

  function unit(pid: number, bytes: Uint8Array, marks: PacketMarks = {}) {
    let from = 0;
    while (from < bytes.length) {
      const at = next();
      const isStart = from === 0;
      const fieldSize = isStart ? markedFieldSize(marks) : 0;
      const room = PACKET_SIZE - HEAD - fieldSize;
      const taken = Math.min(room, bytes.length - from);
      const field = fieldSize + room - taken;
      head(at, pid, isStart, field > 0 ? 0x30 : 0x10, counters[pid]!);
      counters[pid] = (counters[pid]! + 1) & 0x0f;
      if (field > 0) adaptation(at + HEAD, field, isStart ? marks : {});
      buffer.set(bytes.subarray(from, from + taken), at + HEAD + field);
      from += taken;
    }
  }

  /** Writes an adaptation field with a total size of `size` bytes (2.4.3.4). */
  function adaptation(at: number, size: number, marks: PacketMarks) {
    buffer[at] = size - 1;
    if (size === 1) return;
    buffer.fill(0xff, at + 2, at + size);
    const hasClock = marks.pcrTicks !== undefined && marks.pcrTicks !== null;
    buffer[at + 1] = (marks.discontinuity ? 0x80 : 0) | (marks.randomAccess ? 0x40 : 0) | (hasClock ? 0x10 : 0);
    if (hasClock) writePcr(buffer, at + 2, marks.pcrTicks!);
  }

  function section(pid: number, bytes: Uint8Array) {
    const payload = new Uint8Array(1 + bytes.length);
    payload.set(bytes, 1);
    for (let from = 0; from < payload.length; from += PACKET_SIZE - HEAD) {
      const at = next();
      head(at, pid, from === 0, 0x10, counters[pid]!);
      counters[pid] = (counters[pid]! + 1) & 0x0f;
      buffer.fill(0xff, at + HEAD, at + PACKET_SIZE);
      buffer.set(payload.subarray(from, from + PACKET_SIZE - HEAD), at + HEAD);
    }
  }

  function clock(pid: number, marks: PacketMarks) {
    const at = next();
    // A packet without payload repeats the previous counter (2.4.3.3).
    head(at, pid, false, 0x20, (counters[pid]! - 1) & 0x0f);
    adaptation(at + HEAD, PACKET_SIZE - HEAD, marks);
  }

  function copy(bytes: Uint8Array, from: number) {
    const at = next();
    for (let i = 0; i < PACKET_SIZE; i++) buffer[at + i] = bytes[from + i]!;
  }

  function copyRun(bytes: Uint8Array, from: number, to: number) {
    const size = to - from;
    if (length + size > buffer.length) {
      const larger = new Uint8Array(Math.max(buffer.length * 2, length + size));
      larger.set(buffer);
      buffer = larger;
    }
    buffer.set(bytes.subarray(from, to), length);
    length += size;
  }

  function mark(bytes: Uint8Array, from: number) {
    const at = next();
    const pid = ((bytes[from + 1]! & 0x1f) << 8) | bytes[from + 2]!;
    // A packet without payload does not increment the counter, so this one gets the counter before that of a packet
    // with payload (2.4.3.3).
    const hasPayload = (bytes[from + 3]! & 0x10) !== 0;
    head(at, pid, false, 0x20, ((bytes[from + 3]! & 0x0f) - (hasPayload ? 1 : 0)) & 0x0f);
    adaptation(at + HEAD, PACKET_SIZE - HEAD, { discontinuity: true });
  }

  function takeBytes(): Uint8Array {
    const taken = buffer.subarray(0, length);
    length = 0;
    return taken;
  }

  return { unit, section, clock, copy, copyRun, mark, take: takeBytes };
}

function markedFieldSize(marks: PacketMarks): number {
  if (marks.pcrTicks !== undefined && marks.pcrTicks !== null) return CLOCK_FIELD;
  return marks.randomAccess || marks.discontinuity ? 2 : 0;
}

/** Writes a PCR: 33 bits of base, 6 reserved bits and an extension of 0 (ISO/IEC 13818-1, 2.4.3.5). */
function writePcr(bytes: Uint8Array, at: number, ticks: number) {
  const base = ((Math.round(ticks) % 2 ** 33) + 2 ** 33) % 2 ** 33;
  const high = Math.floor(base / 2);
  bytes[at] = high >>> 24;
  bytes[at + 1] = high >>> 16;
  bytes[at + 2] = high >>> 8;
  bytes[at + 3] = high;
  bytes[at + 4] = ((base % 2) << 7) | 0x7e;
  bytes[at + 5] = 0;
}
