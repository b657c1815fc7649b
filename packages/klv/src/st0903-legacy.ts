import { FormatError } from '@osprey/bytes';
import { Cursor } from './cursor.ts';
import { decodeImapb, imapbSpecial } from './imapb.ts';
import { eachItem } from './local-set.ts';
import { int, type TagInfo, type TagShape, uint } from './tag-info.ts';

/**
 * Last version of ST 0903 (ST 0903.3) in which numbers are integers spread over their range; from ST 0903.4 on they are
 * IMAPB.
 */
const LAST_LEGACY_VERSION = 3;

const VERSION_TAG = 4;
const TARGETS_TAG = 101;
const LOCATION_TAG = 17;
/** Tags of VTarget offsets: always 3 bytes long as IMAPB; in older versions as short as possible, or 3 bytes. */
const OFFSET_TAGS = new Set([10, 11, 13, 14, 15, 16]);
const IMAPB_OFFSET_BYTES = 3;
const LARGEST_OFFSET_DEG = 19.2;
const LOCATION_BYTES = 10;

/** Returns the tag table with every IMAPB item changed to the format of ST 0903.3. */
export function legacyTags(tags: ReadonlyMap<number, TagInfo>): ReadonlyMap<number, TagInfo> {
  return new Map(
    Array.from(tags, ([tag, info]) => [tag, info.format === 'imapb' ? { ...info, ...legacyShape(info) } : info]),
  );
}

function legacyShape({ usualBytes: bytes, min, max, unit }: TagInfo): TagShape {
  const spread = { bytes, min: min ?? 0, max: max ?? 0, unit: unit ?? '' };
  // Signed numbers are as short as possible, but their step is that of the full length.
  return spread.min === -spread.max ? { ...int(spread), minBytes: 1 } : uint(spread);
}

/** Reads a number of a location or velocity pack in the format of ST 0903.3. */
export function readLegacyNumber(cursor: Cursor, bytes: number, { min, max }: { min: number; max: number }): number {
  return (cursor.uint(bytes) / (2 ** (8 * bytes) - 1)) * (max - min) + min;
}

/**
 * Whether a VMTI set conforms to ST 0903.3 or earlier. This is decided by its version item; if absent, by the version
 * that this stream sent before (encoders send it only occasionally); otherwise by the format of its first target.
 */
export function isLegacy(
  bytes: Uint8Array,
  range: { start: number; end: number },
  carried: { vmtiVersion: number | null },
): boolean {
  let looksLegacy = false;
  eachItem(bytes, range, [], (tag, start, end) => {
    const length = end - start;
    if (tag === VERSION_TAG && length > 0 && length <= 2)
      carried.vmtiVersion = new Cursor(bytes, start, end).uint(length);
    if (tag === TARGETS_TAG) looksLegacy = hasLegacyTarget(new Cursor(bytes, start, end));
  });
  return carried.vmtiVersion === null ? looksLegacy : carried.vmtiVersion <= LAST_LEGACY_VERSION;
}

/** Checks only the first target. */
function hasLegacyTarget(series: Cursor): boolean {
  let found = false;
  try {
    const target = series.sub(series.berLength());
    target.berOid();
    eachItem(target.bytes, { start: target.at, end: target.end }, [], (tag, start, end) => {
      if (isLegacyItem(tag, target.bytes, start, end - start)) found = true;
    });
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
  }
  return found;
}

function isLegacyItem(tag: number, bytes: Uint8Array, start: number, length: number): boolean {
  if (OFFSET_TAGS.has(tag)) return length > 0 && (length !== IMAPB_OFFSET_BYTES || isLegacyOffset(bytes, start));
  if (tag !== LOCATION_TAG || length < LOCATION_BYTES) return false;
  return isNoImapb(bytes, start, 4) || isNoImapb(bytes, start + 4, 4);
}

/**
 * Interprets 3 bytes in both ways and chooses the smaller offset: targets are near the frame centre, and the wrong
 * interpretation is five degrees away or more.
 */
function isLegacyOffset(bytes: Uint8Array, start: number): boolean {
  if (isNoImapb(bytes, start, IMAPB_OFFSET_BYTES)) return true;
  const asImapb = decodeImapb(bytes, start, IMAPB_OFFSET_BYTES, -LARGEST_OFFSET_DEG, LARGEST_OFFSET_DEG);
  const raw = new Cursor(bytes, start, start + IMAPB_OFFSET_BYTES).int(IMAPB_OFFSET_BYTES);
  const asInteger = (raw / (2 ** (8 * IMAPB_OFFSET_BYTES - 1) - 1)) * LARGEST_OFFSET_DEG;
  return Math.abs(asImapb) > Math.abs(asInteger);
}

/**
 * Whether the bytes are an IMAPB special value with more than its first byte set. Encoders never write such values, but
 * the integers for half the earth look like them.
 */
function isNoImapb(bytes: Uint8Array, start: number, length: number): boolean {
  if (imapbSpecial(bytes, start, length) === null) return false;
  return bytes.subarray(start + 1, start + length).some((byte) => byte !== 0);
}
