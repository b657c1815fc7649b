/** Fields of an RTP packet (RFC 3550, 5.1) that are needed to put its payload in order. */
export type RtpPacket = {
  payloadType: number;
  sequence: number;
  timestamp: number;
  ssrc: number;
  payload: Uint8Array;
};

const FIXED_HEAD = 12;
const VERSION = 2;

/** Whether the first two bits hold RTP version 2. A transport packet begins with 0x47, so these bits are 1. */
export const isRtp = (bytes: Uint8Array): boolean => bytes.length >= FIXED_HEAD && bytes[0]! >> 6 === VERSION;

/**
 * Reads an RTP packet and locates its payload: the bytes without header, contributing sources, extension and padding.
 * Returns null if their sizes contradict the size of the packet.
 */
export function readRtp(bytes: Uint8Array): RtpPacket | null {
  if (!isRtp(bytes)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hasPadding = (bytes[0]! & 0x20) !== 0;
  const hasExtension = (bytes[0]! & 0x10) !== 0;
  let start = FIXED_HEAD + 4 * (bytes[0]! & 0x0f);
  if (hasExtension) {
    if (start + 4 > bytes.length) return null;
    start += 4 + 4 * view.getUint16(start + 2);
  }
  const end = bytes.length - (hasPadding ? bytes[bytes.length - 1]! : 0);
  if (start > end) return null;
  return {
    payloadType: bytes[1]! & 0x7f,
    sequence: view.getUint16(2),
    timestamp: view.getUint32(4),
    ssrc: view.getUint32(8),
    payload: bytes.subarray(start, end),
  };
}

/** RTP timestamps of a transport stream count at 90 kHz (RFC 2250, 2). */
const TICKS_PER_MS = 90;

/** Measures the interarrival jitter (RFC 3550, 6.4.1), in milliseconds. */
export function jitterMeter() {
  let sender: number | null = null;
  let transit: number | null = null;
  let ticks = 0;
  return {
    arrived({ ssrc, timestamp }: RtpPacket, arrivalMs: number): void {
      // Both clocks wrap, so only the lower 32 bits of their difference are meaningful.
      const now = Math.round(arrivalMs * TICKS_PER_MS) - timestamp;
      if (transit !== null && ssrc === sender) ticks += (Math.abs((now - transit) | 0) - ticks) / 16;
      transit = now;
      sender = ssrc;
    },
    ms: () => (transit === null ? null : ticks / TICKS_PER_MS),
  };
}
