import { ByteWriter, byteCount, signedByteCount } from './byte-writer.ts';
import { encodeImapb } from './imapb.ts';
import type { TagInfo } from './tag-info.ts';
import type { Value } from './value.ts';

const utf8 = new TextEncoder();
const EMPTY = new Uint8Array(0);

/**
 * Encodes the value of one simple item. null gives the error marker, or zero length if the standard defines none; bytes
 * are written unchanged.
 * @throws RangeError when the value is of the wrong kind, outside the range of the tag, or too long.
 */
export function encodeItem(info: TagInfo, value: Value): Uint8Array {
  if (value instanceof Uint8Array) return checkLength(info, value);
  if (value === null || (typeof value === 'number' && Number.isNaN(value))) return encodeNull(info);
  if (info.format === 'utf8') return checkLength(info, utf8.encode(expectText(info, value)));
  if (info.format === 'set' || info.format === 'pack' || info.format === 'bytes') throw misfit(info, 'bytes');
  const number = expectNumber(info, value);
  const { min, max } = info;
  if (min !== null && max !== null && (number < min || number > max)) {
    throw new RangeError(`Tag ${info.tag} (${info.name}): ${number} is outside ${min}..${max}`);
  }
  return encodeNumber(info, number);
}

function misfit(info: TagInfo, expected: string): RangeError {
  return new RangeError(`Tag ${info.tag} (${info.name}): the value must be ${expected}`);
}

function encodeNull(info: TagInfo): Uint8Array {
  if (info.errorValue === null) return EMPTY;
  return new ByteWriter().integer(info.errorValue, info.usualBytes).finish();
}

function encodeNumber(info: TagInfo, number: number): Uint8Array {
  const { format, usualBytes } = info;
  if (format === 'imapb') return encodeImapb(number, info.min ?? 0, info.max ?? 0, usualBytes);
  const offset = format === 'int' ? 0 : (info.min ?? 0);
  const raw = Math.round((number - offset) / (info.resolution ?? 1));
  return new ByteWriter().integer(raw, lengthFor(info, raw)).finish();
}

/** Returns the length of the encoded value: the fixed length of the tag, or as short as the number allows. */
function lengthFor({ format, minBytes, maxBytes, usualBytes, isPadded }: TagInfo, raw: number): number {
  if (minBytes === maxBytes || isPadded || format === 'time') return usualBytes;
  return Math.max(minBytes, format === 'int' ? signedByteCount(raw) : byteCount(raw));
}

function checkLength(info: TagInfo, bytes: Uint8Array): Uint8Array {
  if (bytes.length <= info.maxBytes) return bytes;
  throw new RangeError(`Tag ${info.tag} (${info.name}): ${bytes.length} bytes, at most ${info.maxBytes} are allowed`);
}

function expectText(info: TagInfo, value: Value): string {
  if (typeof value === 'string') return value;
  throw misfit(info, 'a text');
}

function expectNumber(info: TagInfo, value: Value): number {
  if (typeof value === 'number') return value;
  throw misfit(info, 'a number');
}
