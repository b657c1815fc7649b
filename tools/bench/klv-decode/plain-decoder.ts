import { st0102Tags, st0601Tags, type TagInfo } from '@osprey/klv';

/** One item as returned by a plain decoder. */
export type PlainItem = { tag: number; name: string; unit: string | null; value: PlainValue };
export type PlainValue = number | bigint | string | null | Uint8Array | PlainItem[];
export type PlainPacket = { checksum: 'good' | 'bad' | 'missing'; items: PlainItem[] };

const KEY_BYTES = 16;
const CHECKSUM_TAG = 1;
const SECURITY_TAG = 48;
const COUNTRY_CODES_TAG = 13;
const utf8 = new TextDecoder();
const utf16 = new TextDecoder('utf-16be');

/**
 * A straightforward implementation of an ST 0601 decoder: an object for each item, DataView for integers, BigInt for
 * 64-bit ones, TextDecoder for texts, and the standard's formulas for everything else. It serves only for comparison in
 * the bench: it reads only complete, undamaged packets.
 */
export function decodePlain(bytes: Uint8Array, start: number, end: number): PlainPacket {
  const packet = bytes.subarray(start, end);
  const [length, itemsStart] = readLength(packet, KEY_BYTES);
  const items = decodeItems(packet.subarray(itemsStart, itemsStart + length), st0601Tags);
  const stated = items.find((item) => item.tag === CHECKSUM_TAG)?.value;
  return { checksum: checksumVerdict(packet, stated), items };
}

function decodeItems(bytes: Uint8Array, tags: ReadonlyMap<number, TagInfo>): PlainItem[] {
  const items: PlainItem[] = [];
  let at = 0;
  while (at < bytes.length) {
    const [tag, lengthAt] = readTag(bytes, at);
    const [length, valueAt] = readLength(bytes, lengthAt);
    const info = tags.get(tag);
    const value = bytes.subarray(valueAt, valueAt + length);
    if (info !== undefined) {
      items.push({ tag, name: info.name, unit: info.unit, value: decodeValue(info, value) });
    }
    at = valueAt + length;
  }
  return items;
}

function decodeValue(info: TagInfo, bytes: Uint8Array): PlainValue {
  if (bytes.length === 0) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  switch (info.format) {
    case 'utf8':
      return utf8.decode(bytes);
    case 'time':
      return bytes.length === 8 ? view.getBigUint64(0) : BigInt(readUnsigned(view));
    case 'uint':
    case 'enum':
    case 'flags':
      return scaleUnsigned(info, readUnsigned(view));
    case 'int':
      return scaleSigned(info, readSigned(view));
    case 'imapb':
      return decodeMapped(info, view);
    default:
      return decodeComposite(info, bytes);
  }
}

function decodeComposite(info: TagInfo, bytes: Uint8Array): PlainValue {
  // UTF-16 according to the standard, but some encoders write UTF-8.
  if (info.group === 'security' && info.tag === COUNTRY_CODES_TAG) return (bytes[0] === 0 ? utf16 : utf8).decode(bytes);
  if (info.tag === SECURITY_TAG) return decodeItems(bytes, st0102Tags);
  return bytes;
}

/** Converts an unsigned integer as defined in ST 0601: LDS 0..2^n-1 maps to min..max. */
function scaleUnsigned(info: TagInfo, raw: number): number {
  if (info.resolution === 1) return raw;
  const range = info.max! - info.min!;
  return (range / (2 ** (8 * info.maxBytes) - 1)) * raw + info.min!;
}

/**
 * Converts a signed integer as defined in ST 0601: LDS -(2^(n-1)-1)..2^(n-1)-1 maps to min..max, and -(2^(n-1)) is the
 * error indicator.
 */
function scaleSigned(info: TagInfo, raw: number): number | null {
  if (info.errorValue === null) return raw;
  if (raw === -info.errorValue) return null;
  const range = info.max! - info.min!;
  return (range / (2 ** (8 * info.maxBytes) - 2)) * raw;
}

/** ST 1201 section 8.1: reverse mapping of IMAPB. */
function decodeMapped(info: TagInfo, view: DataView): number | null {
  const length = view.byteLength;
  const min = info.min!;
  const max = info.max!;
  const exponent = Math.ceil(Math.log2(max - min));
  const scale = 2 ** (8 * length - 1 - exponent);
  const offset = min < 0 && max > 0 ? scale * min - Math.floor(scale * min) : 0;
  const raw = readUnsigned(view);
  if (raw > 2 ** (8 * length - 1)) return null;
  return (raw - offset) / scale + min;
}

function readUnsigned(view: DataView): number {
  switch (view.byteLength) {
    case 1:
      return view.getUint8(0);
    case 2:
      return view.getUint16(0);
    case 3:
      return view.getUint16(0) * 256 + view.getUint8(2);
    case 4:
      return view.getUint32(0);
    default:
      return Number(readBig(view));
  }
}

function readSigned(view: DataView): number {
  switch (view.byteLength) {
    case 1:
      return view.getInt8(0);
    case 2:
      return view.getInt16(0);
    case 4:
      return view.getInt32(0);
    default:
      return Number(BigInt.asIntN(8 * view.byteLength, readBig(view)));
  }
}

function readBig(view: DataView): bigint {
  let value = 0n;
  for (let at = 0; at < view.byteLength; at++) value = (value << 8n) | BigInt(view.getUint8(at));
  return value;
}

function readTag(bytes: Uint8Array, start: number): [tag: number, next: number] {
  let tag = 0;
  let at = start;
  do tag = (tag << 7) | (bytes[at]! & 0x7f);
  while (bytes[at++]! & 0x80);
  return [tag, at];
}

function readLength(bytes: Uint8Array, start: number): [length: number, next: number] {
  const first = bytes[start]!;
  if (first < 0x80) return [first, start + 1];
  let length = 0;
  for (let index = 1; index <= (first & 0x7f); index++) length = length * 256 + bytes[start + index]!;
  return [length, start + 1 + (first & 0x7f)];
}

/** ST 0601 section 7.2.1: the running 16-bit sum over all but the last two bytes. */
function checksumVerdict(packet: Uint8Array, stated: PlainValue | undefined): PlainPacket['checksum'] {
  if (typeof stated !== 'number') return 'missing';
  let sum = 0;
  for (let at = 0; at < packet.length - 2; at++) sum += packet[at]! << (8 * ((at + 1) % 2));
  return sum % 65536 === stated ? 'good' : 'bad';
}
