import { FormatError } from '@osprey/bytes';
import { Cursor } from './cursor.ts';
import { isUniversalKey, KEY_BYTES } from './key.ts';
import { addFault, type KlvFault, reasonOf } from './value.ts';

/** Position of a packet, including key, length and value. */
export type PacketBounds = { start: number; end: number };

/**
 * Finds the KLV packets in bytes[start, end), in order. Bytes between packets, packets that are cut and packets without
 * a readable length are reported to `onFault`, at most 100 of them, and the search continues after their key. Adjacent
 * packets that have the same structure of key and length (SMPTE ST 336) but whose key is not a universal label are
 * reported to `onForeign`. Each byte is examined a bounded number of times.
 */
export function* packets(
  bytes: Uint8Array,
  start: number,
  end: number,
  onFault: (fault: KlvFault) => void = () => {},
  onForeign?: (bounds: PacketBounds) => void,
): Generator<PacketBounds> {
  const view = bytes.subarray(0, Math.min(end, bytes.length));
  const faults: KlvFault[] = [];
  const report = (offset: number, text: string) => {
    const before = faults.length;
    addFault(faults, null, offset, text);
    if (faults.length > before) onFault(faults[before]!);
  };

  let at = start;
  while (at < view.length) {
    const foreign = foreignEnd(view, at);
    if (foreign > at) {
      if (onForeign) onForeign({ start: at, end: foreign });
      else report(at, 'Packet under a foreign key');
      at = foreign;
      continue;
    }
    const found = findKey(view, at);
    if (found > at) report(at, 'Bytes that belong to no packet');
    if (found === view.length) return;
    const bounds = tryBounds(view, found, report);
    if (bounds !== null) yield bounds;
    at = bounds?.end ?? found + KEY_BYTES;
  }
}

/**
 * Returns the bounds of the packet whose key is at `start`, and of its value.
 * @throws FormatError when there is no universal key, the length has no allowed form, or the value reaches beyond
 * `end`.
 */
export function packetBounds(bytes: Uint8Array, start: number, end: number): PacketBounds & { valueStart: number } {
  const limit = Math.min(end, bytes.length);
  if (start + KEY_BYTES > limit || !isUniversalKey(bytes, start)) throw new FormatError('No universal key', start);
  const cursor = new Cursor(bytes, start + KEY_BYTES, limit);
  const length = cursor.berLength();
  const valueStart = cursor.at;
  if (length > cursor.left) {
    throw new FormatError('Packet cut short', valueStart);
  }
  return { start, valueStart, end: valueStart + length };
}

function tryBounds(bytes: Uint8Array, at: number, report: (offset: number, text: string) => void): PacketBounds | null {
  try {
    const { start, end } = packetBounds(bytes, at, bytes.length);
    return { start, end };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    report(error.offset, reasonOf(error));
    return null;
  }
}

/**
 * Returns the end of a packet with a foreign key, which must be followed by a universal key or by the end of the bytes.
 * Returns `at` if there is no such packet.
 */
function foreignEnd(bytes: Uint8Array, at: number): number {
  if (at + KEY_BYTES >= bytes.length || isUniversalKey(bytes, at)) return at;
  const first = bytes[at + KEY_BYTES]!;
  const count = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || count > LENGTH_BYTES_MAX || at + KEY_BYTES + 1 + count > bytes.length) return at;
  let length = count === 0 ? first : 0;
  for (let n = 1; n <= count; n++) length = length * 256 + bytes[at + KEY_BYTES + n]!;
  const end = at + KEY_BYTES + 1 + count + length;
  if (length === 0 || end > bytes.length) return at;
  return end === bytes.length || isUniversalKey(bytes, end) ? end : at;
}

/** Maximum number of bytes of a BER length; a longer one is taken for random data rather than a packet. */
const LENGTH_BYTES_MAX = 4;

/** Returns the offset of the next universal key, or the end of the bytes. */
function findKey(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0x06, from); at >= 0; at = bytes.indexOf(0x06, at + 1)) {
    if (isUniversalKey(bytes, at)) return at;
  }
  return bytes.length;
}
