/** Size of the prefix of every SMPTE universal label (SMPTE 298): 06 0E 2B 34. */
const LABEL_SIZE = 4;
/** Size of a universal key in bytes (SMPTE 336). */
const KEY_SIZE = 16;
/** Maximum number of bytes of a BER length in a KLV packet. */
const BER_LENGTH_MAX_BYTES = 8;

/** Whether a KLV packet begins at `start`. */
export function isKlvStart(bytes: Uint8Array, start: number, end: number): boolean {
  if (start + LABEL_SIZE > end) return false;
  return bytes[start] === 0x06 && bytes[start + 1] === 0x0e && bytes[start + 2] === 0x2b && bytes[start + 3] === 0x34;
}

/** Returns the offset of the first KLV packet; -1 if there is none. */
export function findKlvStart(bytes: Uint8Array, start: number, end: number): number {
  const view = bytes.subarray(start, end);
  for (let at = view.indexOf(0x06); at >= 0; at = view.indexOf(0x06, at + 1)) {
    if (isKlvStart(bytes, start + at, end)) return start + at;
  }
  return -1;
}

/**
 * Returns the end of the complete KLV packets from `start` on, according to their BER lengths (SMPTE 336, 6.3): the
 * start of an incomplete packet, or `end` if there is none.
 *
 * Bytes after a complete packet that do not begin another one are not treated as an incomplete packet.
 */
export function endOfCompleteKlv(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (isKlvStart(bytes, at, end)) {
    const next = packetEnd(bytes, at, end);
    if (next > end) return at;
    at = next;
  }
  return end;
}

/**
 * Returns the end of the packet at `start`: past `end` if the packet is incomplete, `end` if its length is not valid.
 */
function packetEnd(bytes: Uint8Array, start: number, end: number): number {
  const at = start + KEY_SIZE;
  if (at >= end) return end + 1;
  const first = bytes[at]!;
  if (first < 0x80) return at + 1 + first;
  const count = first & 0x7f;
  if (count === 0 || count > BER_LENGTH_MAX_BYTES) return end;
  if (at + 1 + count > end) return end + 1;
  let length = 0;
  for (let i = 1; i <= count; i++) length = length * 256 + bytes[at + i]!;
  return at + 1 + count + length;
}
