import { FormatError } from '@osprey/bytes';
import { decodeImapb } from './imapb.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const utf16 = new TextDecoder('utf-16be');

/** Maximum length of a BER-OID: 5 bytes hold 35 bits, which is more than any tag of any standard needs. */
const MAX_OID_BYTES = 5;

/** Reads consecutive values from bytes[at, end). Every method throws FormatError if the bytes end too soon. */
export class Cursor {
  readonly bytes: Uint8Array;
  readonly end: number;
  at: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
  }

  get left(): number {
    return this.end - this.at;
  }

  /** Returns the start of the next `length` bytes and moves the cursor past them. */
  take(length: number): number {
    const start = this.at;
    if (length > this.end - start) throw new FormatError('Value reaches past its set', start);
    this.at = start + length;
    return start;
  }

  /** Returns a cursor over the next `length` bytes and moves this one past them. */
  sub(length: number): Cursor {
    const start = this.take(length);
    return new Cursor(this.bytes, start, this.at);
  }

  /** Reads an unsigned big-endian integer of up to 8 bytes; above 2^53, the nearest double. */
  uint(length: number): number {
    const start = this.take(length);
    return readUint(this.bytes, start, this.at);
  }

  /** Reads a two's complement integer of up to 8 bytes. */
  int(length: number): number {
    const start = this.take(length);
    return readInt(this.bytes, start, this.at);
  }

  /** Reads an IMAPB number; null for every special value. */
  imapb(length: number, min: number, max: number): number | null {
    const value = decodeImapb(this.bytes, this.take(length), length, min, max);
    return Number.isFinite(value) ? value : null;
  }

  utf8(length: number): string {
    const start = this.take(length);
    return readUtf8(this.bytes, start, this.at);
  }

  /** Returns a copy, since the underlying buffer belongs to the caller. */
  copy(length: number): Uint8Array {
    const start = this.take(length);
    return this.bytes.slice(start, this.at);
  }

  /**
   * Reads a BER length in short form, or in long form of up to 8 bytes (SMPTE ST 336, ISO/IEC 8825-1 8.1.3). The
   * indefinite form and longer forms are refused.
   */
  berLength(): number {
    const at = this.take(1);
    const first = this.bytes[at]!;
    if (first < 0x80) return first;
    if (first === 0x80) throw new FormatError('Length of the indefinite form', at);
    if (first > 0x88) throw new FormatError(`Length of ${first & 0x7f} bytes`, at);
    return this.uint(first & 0x7f);
  }

  /**
   * Reads a BER-OID integer: seven bits per byte, where the high bit indicates that another byte follows (ISO/IEC
   * 8825-1 8.19).
   */
  berOid(): number {
    const start = this.at;
    let value = 0;
    for (let index = 0; index < MAX_OID_BYTES; index++) {
      const byte = this.bytes[this.take(1)]!;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    throw new FormatError(`Tag longer than ${MAX_OID_BYTES} bytes`, start);
  }
}

/** Reads an unsigned big-endian integer in bytes[start, end), at most 8 bytes; above 2^53, the nearest double. */
export function readUint(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 256 + bytes[at]!;
  return value;
}

/** Reads a two's complement big-endian integer in bytes[start, end), at most 8 bytes. */
export function readInt(bytes: Uint8Array, start: number, end: number): number {
  if (start === end || bytes[start]! < 0x80) return readUint(bytes, start, end);
  // Invert the bits, which gives a small number, so that -1 in 8 bytes stays exact.
  let inverted = 0;
  for (let at = start; at < end; at++) inverted = inverted * 256 + (255 - bytes[at]!);
  return -inverted - 1;
}

/**
 * Reads UTF-8 text without the trailing NULs with which some encoders pad it. Invalid UTF-8 becomes U+FFFD rather than
 * an error.
 */
export function readUtf8(bytes: Uint8Array, start: number, end: number): string {
  let last = end;
  while (last > start && bytes[last - 1] === 0) last--;
  return utf8.decode(bytes.subarray(start, last));
}

/**
 * Reads text that is UTF-16BE according to its standard (ST 0102 tag 13) but UTF-8 in the files of some encoders. The
 * two can be distinguished because country codes are Latin: in UTF-16BE, every other byte is zero.
 */
export function readUtf16(bytes: Uint8Array, start: number, end: number): string {
  const isWide = (end - start) % 2 === 0 && (bytes[start] === 0 || bytes[start] === 0xfe);
  if (!isWide) return readUtf8(bytes, start, end);
  return utf16.decode(bytes.subarray(start, end));
}
