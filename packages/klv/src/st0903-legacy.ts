import { FormatError } from '@osprey/bytes';
import { Cursor } from './cursor.ts';
import { decodeImapb, imapbSpecial } from './imapb.ts';
import { eachItem } from './local-set.ts';
import { int, type TagInfo, type TagShape, uint } from './tag-info.ts';

/** Up to ST 0903.3 numbers are integers spread over their range; from ST 0903.4 on they are IMAPB. */
const LAST_LEGACY_VERSION = 3;

const VERSION_TAG = 4;
const TARGETS_TAG = 101;
const LOCATION_TAG = 17;
/** VTarget offsets: always 3 bytes as IMAPB, as few as needed or 3 before. */
const OFFSET_TAGS = new Set([10, 11, 13, 14, 15, 16]);
const IMAPB_OFFSET_BYTES = 3;
const LARGEST_OFFSET_DEG = 19.2;
const LOCATION_BYTES = 10;

/** The table with every IMAPB item as ST 0903.3 writes it. */
export function legacyTags(tags: ReadonlyMap<number, TagInfo>): ReadonlyMap<number, TagInfo> {
  return new Map(
    Array.from(tags, ([tag, info]) => [tag, info.format === 'imapb' ? { ...info, ...legacyShape(info) } : info]),
  );
}

function legacyShape({ usualBytes: bytes, min, max, unit }: TagInfo): TagShape {
  const spread = { bytes, min: min ?? 0, max: max ?? 0, unit: unit ?? '' };
  // Signed numbers are as long as they need, but their step is that of the full length.
  return spread.min === -spread.max ? { ...int(spread), minBytes: 1 } : uint(spread);
}

/** A number of a location or velocity pack as ST 0903.3 writes it. */
export function readLegacyNumber(cursor: Cursor, bytes: number, { min, max }: { min: number; max: number }): number {
  return (cursor.uint(bytes) / (2 ** (8 * bytes) - 1)) * (max - min) + min;
}

/**
 * Whether the VMTI set is of ST 0903.3 or before. Its version item decides, else the version that
 * this stream gave before (encoders send it now and then), else the form of its first targets.
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

/** Targets are around the frame centre: of the two readings of 3 bytes the wrong one is five degrees away or more. */
function isLegacyOffset(bytes: Uint8Array, start: number): boolean {
  if (isNoImapb(bytes, start, IMAPB_OFFSET_BYTES)) return true;
  const asImapb = decodeImapb(bytes, start, IMAPB_OFFSET_BYTES, -LARGEST_OFFSET_DEG, LARGEST_OFFSET_DEG);
  const raw = new Cursor(bytes, start, start + IMAPB_OFFSET_BYTES).int(IMAPB_OFFSET_BYTES);
  const asInteger = (raw / (2 ** (8 * IMAPB_OFFSET_BYTES - 1) - 1)) * LARGEST_OFFSET_DEG;
  return Math.abs(asImapb) > Math.abs(asInteger);
}

/** A special value that says more than its first byte: none is written so, but the integers of half the earth are. */
function isNoImapb(bytes: Uint8Array, start: number, length: number): boolean {
  if (imapbSpecial(bytes, start, length) === null) return false;
  return bytes.subarray(start + 1, start + length).some((byte) => byte !== 0);
}
