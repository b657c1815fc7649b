import { ByteWriter } from './byte-writer.ts';
import { checksumOf } from './checksum.ts';
import { type EncodeValues, encodeSet, type SetEncoding, setWriter } from './encode-set.ts';
import { st0601PackWriters } from './encode-st0601-packs.ts';
import { st0903Encoding } from './encode-st0903.ts';
import { ST0102_KEY, ST0601_KEY, ST0903_KEY } from './key.ts';
import { st0102Tags } from './st0102-tags.ts';
import { REPEATABLE_TAGS, st0601Tags } from './st0601-tags.ts';
import { RVT_REPEATABLE_TAGS, rvtAreaTags, rvtPointTags, rvtUserTags, st0806Tags } from './st0806-tags.ts';
import type { Value } from './value.ts';

const CHECKSUM_TAG = 1;
const CHECKSUM_BYTES = 2;

const unnamed: SetEncoding = { tags: new Map(), writers: {} };

const st0102Encoding: SetEncoding = { tags: st0102Tags, writers: { 13: writeUtf16 } };

const rvtEncoding: SetEncoding = {
  tags: st0806Tags,
  repeatable: RVT_REPEATABLE_TAGS,
  writers: {
    11: setWriter(() => ({ tags: rvtUserTags, writers: {} })),
    12: setWriter(() => ({ tags: rvtPointTags, writers: {} })),
    13: setWriter(() => ({ tags: rvtAreaTags, writers: {} })),
  },
};

const st0601Encoding: SetEncoding = {
  tags: st0601Tags,
  repeatable: REPEATABLE_TAGS,
  // ST 0601.17 section 6.4: the time stamp comes first, the checksum last.
  first: [2],
  computed: [CHECKSUM_TAG],
  writers: {
    ...st0601PackWriters,
    48: setWriter(() => st0102Encoding),
    73: setWriter(() => rvtEncoding),
    74: setWriter(() => st0903Encoding),
    95: setWriter(() => unnamed),
    97: setWriter(() => unnamed),
    98: setWriter(() => unnamed),
    99: setWriter(() => unnamed),
    100: setWriter(() => st0601Encoding),
    101: setWriter(() => st0601Encoding),
  },
};

/**
 * Encodes an ST 0601 packet: key, length, tag 2 first, the other tags in ascending order, checksum last.
 *
 * Values are in the units of the tag table and in the form that `decodePacket` returns: tag 48 is an object of ST 0102
 * items, tag 74 one of ST 0903 items. null writes "unknown".
 * @throws RangeError naming the tag, for a value that the tag cannot hold.
 */
export function encodeSt0601(values: EncodeValues): Uint8Array {
  return withChecksum(ST0601_KEY, encodeSet(st0601Encoding, values));
}

/** Encodes an ST 0102 local set as a separate packet. @throws RangeError as `encodeSt0601`. */
export function encodeSt0102(values: EncodeValues): Uint8Array {
  return new ByteWriter().bytes(ST0102_KEY).lengthAndBytes(encodeSet(st0102Encoding, values)).finish();
}

/** Encodes an ST 0903 VMTI local set as a separate packet, with checksum. @throws RangeError as `encodeSt0601`. */
export function encodeSt0903(values: EncodeValues): Uint8Array {
  return withChecksum(ST0903_KEY, encodeSet(st0903Encoding, values));
}

/** Returns a packet with these items, followed by its checksum. */
export function withChecksum(key: Uint8Array, items: Uint8Array): Uint8Array {
  const length = items.length + 2 + CHECKSUM_BYTES;
  const writer = new ByteWriter().bytes(key).berLength(length).bytes(items);
  writer.berOid(CHECKSUM_TAG).berLength(CHECKSUM_BYTES);
  const summed = writer.finish();
  return writer.integer(checksumOf(summed, 0, summed.length), CHECKSUM_BYTES).finish();
}

/** Text of ST 0102 tag 13 is UTF-16BE. */
function writeUtf16(value: Value): Uint8Array {
  if (typeof value !== 'string') throw new RangeError('Tag 13 (Object Country Codes): the value must be a text');
  const writer = new ByteWriter();
  for (let index = 0; index < value.length; index++) writer.integer(value.charCodeAt(index), 2);
  return writer.finish();
}
