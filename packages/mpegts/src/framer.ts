import { PACKET_SIZE, SYNC_BYTE } from './packet.ts';
import { DETECTION_WINDOW, detectPacketing, LATE_SPAN, type Packeting } from './packeting.ts';

/**
 * Reads packets from `bytes`, starting with the sync byte at `at`, one every `packetSize` bytes, as long as they are
 * complete before `end` and begin with a sync byte. Returns the position at which it stopped, which may be past `end`.
 *
 * `base` is the offset of `bytes[0]` in the stream.
 */
export type ReadPackets = (bytes: Uint8Array, at: number, end: number, base: number) => number;

/** Divides a stream that arrives in pieces of any size into runs of packets, and resynchronises after damage. */
export type Framer = {
  push(bytes: Uint8Array): void;
  end(): void;
  /** Returns null until packets have been found. */
  packeting(): Packeting | null;
  /** Returns the distance from one packet to the next, in bytes. */
  stride(): number;
  counts: { bytes: number; syncLosses: number; skippedBytes: number; trailingBytes: number };
};

type Options = {
  read: ReadPackets;
  /** Known packeting: there is no detection, and the stream must begin with a packet of this form. */
  packeting?: Pick<Packeting, 'packetSize' | 'syncOffset'>;
  lost?: (offset: number) => void;
  /** Called with bytes that the framer no longer needs, so that the caller may reuse their buffer. */
  release?: (bytes: Uint8Array) => void;
};

/** Number of sync bytes at the expected positions that confirm the packeting after damage. */
const CONFIRMING = 3;
/** Number of bytes kept for look-ahead; more than a search (2 x 204 + 188) or detection (4 x 204 + 188) needs. */
const LOOK_AHEAD = 1024;

/** Creates a framer; its output does not depend on how the stream is divided into pieces. */
export function createFramer({ read, packeting: given, lost, release }: Options): Framer {
  const counts = { bytes: 0, syncLosses: 0, skippedBytes: 0, trailingBytes: 0 };
  let packeting: Packeting | null = given ? { ...given, firstPacket: 0 } : null;
  let stride: number = given?.packetSize ?? 0;
  let inSync = true;
  /** Start of the stream, kept until packets are found. */
  let head = given ? null : new Uint8Array(DETECTION_WINDOW);
  let headLength = 0;
  /** Bytes received but not yet read; they immediately precede those of the next push. */
  const carry = new Uint8Array(2 * LOOK_AHEAD);
  let carryLength = 0;
  /** Stream offset of the first byte that has not been fed. */
  let consumed = 0;
  let ended = false;
  /** Number of bytes to skip in the next push before the next sync byte. */
  let toSkip = given?.syncOffset ?? 0;

  function push(bytes: Uint8Array) {
    counts.bytes += bytes.length;
    let from = 0;
    while (head && from < bytes.length) {
      const taken = Math.min(bytes.length - from, DETECTION_WINDOW - headLength);
      head.set(bytes.subarray(from, from + taken), headLength);
      headLength += taken;
      from += taken;
      if (headLength === DETECTION_WINDOW) detect();
    }
    if (!head && from < bytes.length) feed(from === 0 ? bytes : bytes.subarray(from));
  }

  function detect() {
    const seen = head!.subarray(0, headLength);
    const found = detectPacketing(seen, consumed);
    if (found) {
      packeting = { ...found, firstPacket: consumed + found.firstPacket };
      head = null;
      stride = found.packetSize;
      counts.skippedBytes += found.firstPacket;
      toSkip = found.firstPacket + found.syncOffset;
      feed(seen);
      return;
    }
    // No packets were found here, except possibly in the last bytes, which may contain the first packet.
    const retained = Math.min(LATE_SPAN, headLength);
    counts.skippedBytes += headLength - retained;
    consumed += headLength - retained;
    head!.copyWithin(0, headLength - retained, headLength);
    headLength = retained;
  }

  function feed(bytes: Uint8Array) {
    const base = consumed;
    consumed += bytes.length;
    let at = toSkip;
    if (carryLength > 0) {
      const before = carryLength;
      const taken = Math.min(bytes.length, LOOK_AHEAD);
      carry.set(bytes.subarray(0, taken), before);
      const stop = walk(carry, before + taken, 0, base - before);
      if (stop < before) {
        carry.copyWithin(0, stop, before + taken);
        carryLength = before + taken - stop;
        return;
      }
      at = stop - before;
    }
    const stop = at < bytes.length ? walk(bytes, bytes.length, at, base) : at;
    toSkip = Math.max(0, stop - bytes.length);
    carryLength = Math.max(0, bytes.length - stop);
    if (carryLength > 0) carry.set(bytes.subarray(stop), 0);
  }

  /** Reads packets from `from` on; returns the offset of the first byte still needed. */
  function walk(bytes: Uint8Array, end: number, from: number, base: number): number {
    const stop = readAndSearch(bytes, end, from, base);
    release?.(bytes);
    return stop;
  }

  function readAndSearch(bytes: Uint8Array, end: number, from: number, base: number): number {
    let at = from;
    for (;;) {
      if (inSync) {
        at = read(bytes, at, end, base);
        if (at + PACKET_SIZE > end) return at;
        inSync = false;
        counts.syncLosses++;
        lost?.(base + at);
      }
      const begin = at;
      while (at + PACKET_SIZE <= end && !isConfirmed(bytes, at, end)) at++;
      counts.skippedBytes += at - begin;
      const seesEnough = ended || at + (CONFIRMING - 1) * stride < end;
      if (at + PACKET_SIZE > end || !seesEnough) return at;
      inSync = true;
    }
  }

  /** Whether there are sync bytes at `at` and at the next packet positions, as far as bytes are available. */
  function isConfirmed(bytes: Uint8Array, at: number, end: number): boolean {
    for (let k = 0; k < CONFIRMING && at + k * stride < end; k++) {
      if (bytes[at + k * stride] !== SYNC_BYTE) return false;
    }
    return true;
  }

  function end() {
    if (head) detect();
    if (head) {
      counts.skippedBytes += headLength;
      return;
    }
    ended = true;
    const stop = walk(carry, carryLength, 0, consumed - carryLength);
    counts.trailingBytes = Math.max(0, carryLength - stop);
    carryLength = 0;
  }

  return { push, end, packeting: () => packeting, stride: () => stride, counts };
}
