/** Transport packet size in bytes (ISO/IEC 13818-1, 2.4.3.2). */
export const PACKET_SIZE = 188;

/** First byte of each packet. */
export const SYNC_BYTE = 0x47;

/** PID of null packets, which only fill up the data rate. */
export const NULL_PID = 0x1fff;

/** Number of possible PIDs, which have 13 bits. */
export const PID_COUNT = 0x2000;

/** Returns the PID of a packet whose first byte is at `at`. */
export function packetPid(bytes: Uint8Array, at: number): number {
  return ((bytes[at + 1]! & 0x1f) << 8) | bytes[at + 2]!;
}

/**
 * Returns the program clock at `at`, in 27 MHz ticks: 33 bits of 90 kHz base, 6 reserved bits, 9 bits of extension
 * (2.4.3.5).
 */
export function readPcr(bytes: Uint8Array, at: number): number {
  // Multiply instead of shifting: the base has 33 bits, and `<<` keeps only 32.
  const base =
    bytes[at]! * 2 ** 25 +
    (bytes[at + 1]! << 17) +
    (bytes[at + 2]! << 9) +
    (bytes[at + 3]! << 1) +
    (bytes[at + 4]! >> 7);
  return base * 300 + (((bytes[at + 4]! & 0x01) << 8) | bytes[at + 5]!);
}

/**
 * Whether one packet is a legal repetition of another: equal except for the program clock (2.4.3.3).
 *
 * Both are whole packets that begin at `a` and `b`.
 */
export function isRepetition(first: Uint8Array, a: number, second: Uint8Array, b: number): boolean {
  const hasClock = (second[b + 3]! & 0x20) !== 0 && second[b + 4]! >= 7 && (second[b + 5]! & 0x10) !== 0;
  for (let i = 0; i < PACKET_SIZE; i++) {
    if (hasClock && i >= 6 && i < 12) continue;
    if (first[a + i] !== second[b + i]) return false;
  }
  return true;
}
