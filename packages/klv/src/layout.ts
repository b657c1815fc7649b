import { checksumOf } from './checksum.ts';
import { isUniversalSet, readUniversalKey, type Standard } from './key.ts';
import { eachItem } from './local-set.ts';
import { packetBounds } from './packets.ts';

/** Position of one item of a set: `start` of its tag and length, `valueStart`, and `end` of its value. */
export type ItemLayout = { tag: number; start: number; valueStart: number; end: number };

/** Structure of one packet. Offsets are relative to the given array. */
export type PacketLayout = {
  standard: Standard;
  start: number;
  /** Offset after the key and the length. */
  valueStart: number;
  end: number;
  /** Items of a local set; empty for universal sets, whose items have keys instead of tags. */
  items: ItemLayout[];
  /** Checksum stated in the packet and checksum computed from its bytes; null if none is stated. */
  checksum: { stated: number; computed: number } | null;
};

/** Tag of the checksum in ST 0601 and ST 0903. */
const CHECKSUM_TAG = 1;
const SUMMED: ReadonlySet<Standard> = new Set(['st0601', 'st0903']);

/**
 * Splits the packet whose key is at `start` into its items, for showing its bytes. If an item extends past the set, the
 * bytes from there on belong to no item.
 * @throws FormatError when there is no key, the length is not readable, or the packet ends after `end`
 */
export function packetLayout(bytes: Uint8Array, start: number, end: number): PacketLayout {
  const { valueStart, end: packetEnd } = packetBounds(bytes, start, end);
  const standard = readUniversalKey(bytes, start) ?? 'unknown';
  const items: ItemLayout[] = [];
  let checksum: PacketLayout['checksum'] = null;
  if (!isUniversalSet(bytes, start)) {
    let itemStart = valueStart;
    eachItem(bytes, { start: valueStart, end: packetEnd }, [], (tag, at, itemEnd) => {
      items.push({ tag, start: itemStart, valueStart: at, end: itemEnd });
      itemStart = itemEnd;
      if (tag !== CHECKSUM_TAG || itemEnd - at !== 2 || !SUMMED.has(standard)) return;
      checksum = { stated: bytes[at]! * 256 + bytes[at + 1]!, computed: checksumOf(bytes, start, at) };
    });
  }
  return { standard, start, valueStart, end: packetEnd, items, checksum };
}
