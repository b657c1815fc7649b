export { type ChecksumVerdict, type DecodedPacket, decodePacket, decodeSt0601Item } from './decode-packet.ts';
export { encodeSt0102, encodeSt0601, encodeSt0903 } from './encode-packet.ts';
export type { EncodeValues } from './encode-set.ts';
export { decodeImapb, encodeImapb, type ImapbSpecial, imapbSpecial } from './imapb.ts';
export { keyText, readUniversalKey, type Standard } from './key.ts';
export { type ItemLayout, type PacketLayout, packetLayout } from './layout.ts';
export { type PacketBounds, packets } from './packets.ts';
export { eachSecurityItem } from './security-items.ts';
export { CLASSIFICATIONS, st0102Tags } from './st0102-tags.ts';
export { createSt0601Reader, type NestedItem, type PacketReader, type St0601Record } from './st0601-reader.ts';
export { HIGHEST_TAG, REPEATABLE_TAGS, st0601Tags } from './st0601-tags.ts';
export { rvtAreaTags, rvtPointTags, st0806Tags } from './st0806-tags.ts';
export { pixelOf } from './st0903.ts';
export { st0903Tags, vTargetTags, vTrackerTags } from './st0903-tags.ts';
export { type TagFormat, type TagGroup, type TagInfo, TIME_FAULTS } from './tag-info.ts';
export {
  createTimestampCheck,
  EARLIEST_US,
  type TimestampFault,
  type TimestampFaultKind,
  type TimestampReport,
} from './timestamp-check.ts';
export { isValues, type KlvFault, type Value, type Values } from './value.ts';
export { itemBytes, withItems } from './with-items.ts';
