/**
 * Returns the sum of bytes[start, end) as 16-bit big-endian words, modulo 2^16 (ST 0601.17 section 7.2.1). The standard
 * computes it over the whole packet, from the key up to and including the tag and the length of the checksum item.
 */
export function checksumOf(bytes: Uint8Array, start: number, end: number): number {
  let high = 0;
  let low = 0;
  let at = start;
  // Process eight bytes per iteration: this loop took half of the processing time of a packet.
  for (; at + 7 < end; at += 8) {
    high += bytes[at]! + bytes[at + 2]! + bytes[at + 4]! + bytes[at + 6]!;
    low += bytes[at + 1]! + bytes[at + 3]! + bytes[at + 5]! + bytes[at + 7]!;
  }
  for (; at + 1 < end; at += 2) {
    high += bytes[at]!;
    low += bytes[at + 1]!;
  }
  if (at < end) high += bytes[at]!;
  return ((high << 8) + low) & 0xffff;
}
