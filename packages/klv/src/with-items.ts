import { ByteWriter } from './byte-writer.ts';
import { withChecksum } from './encode-packet.ts';
import { packetLayout } from './layout.ts';

const KEY_BYTES = 16;
const CHECKSUM_TAG = 1;

/** Encodes tag, length and value of one item of a local set, as in SMPTE ST 336. */
export const itemBytes = (tag: number, value: Uint8Array): Uint8Array =>
  new ByteWriter().berOid(tag).lengthAndBytes(value).finish();

/**
 * Returns the ST 0601 packet whose key is at `start`, with more items added after its own. If it has a checksum, the
 * checksum is recomputed.
 *
 * @param items encoded items, each with tag, length and value
 * @throws FormatError when the packet cannot be read
 */
export function withItems(bytes: Uint8Array, start: number, end: number, items: readonly Uint8Array[]): Uint8Array {
  const layout = packetLayout(bytes, start, end);
  const own = layout.items.filter(({ tag }) => tag !== CHECKSUM_TAG);
  const value = new ByteWriter();
  for (const item of own) value.bytes(bytes.subarray(item.start, item.end));
  for (const item of items) value.bytes(item);
  const key = bytes.subarray(start, start + KEY_BYTES);
  if (layout.checksum !== null) return withChecksum(key, value.finish());
  return new ByteWriter().bytes(key).lengthAndBytes(value.finish()).finish();
}
