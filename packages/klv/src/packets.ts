import { FormatError } from '@osprey/bytes';
import { Cursor } from './cursor.ts';
import { isUniversalKey, KEY_BYTES } from './key.ts';
import { addFault, type KlvFault, reasonOf } from './value.ts';

/** Position of a packet: key, length and value. */
export type PacketBounds = { start: number; end: number };

/**
 * Finds the KLV packets in bytes[start, end), in order. Bytes between packets and packets that are cut or have no
 * readable length go to `onFault`, at most 100 of them; the search continues after their key. Packets next to others
 * that have key and length like them (SMPTE ST 336), but no universal label for a key, go to `onForeign`. Each byte is
 * looked at a bounded number of times.
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
 * Bounds of the packet whose key is at `start` and of its value.
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
 * End of a packet under a foreign key: it must be followed by a universal key, or by the end of the bytes if other
 * packets came before. Returns `at` where there is none.
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

/** Most bytes of a BER length; more are random data and no packet. */
const LENGTH_BYTES_MAX = 4;

/** Offset of the next universal key, or the end. */
function findKey(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0x06, from); at >= 0; at = bytes.indexOf(0x06, at + 1)) {
    if (isUniversalKey(bytes, at)) return at;
  }
  return bytes.length;
}
