import { FormatError } from '@osprey/bytes';

/** Special values of an IMAPB integer (ST 1201.5 table 2). */
export type ImapbSpecial =
  | '+QNaN'
  | '-QNaN'
  | '+SNaN'
  | '-SNaN'
  | 'Infinity'
  | '-Infinity'
  | 'belowMinimum'
  | 'aboveMaximum'
  | 'userDefined'
  | 'reserved';

/** First byte of each special value. For NaNs and user-defined values, the lower bits carry a payload. */
const FIRST_BYTE: Readonly<Record<ImapbSpecial, number>> = {
  '+QNaN': 0xd0,
  '-QNaN': 0xf0,
  '+SNaN': 0xd8,
  '-SNaN': 0xf8,
  Infinity: 0xc8,
  '-Infinity': 0xe8,
  belowMinimum: 0xe0,
  aboveMaximum: 0xe1,
  userDefined: 0xc0,
  reserved: 0x88,
};

/**
 * Special values by their five highest bits; belowMinimum and aboveMaximum share the same ones and are handled
 * separately.
 */
const SPECIAL_BY_PREFIX: Readonly<Record<number, ImapbSpecial>> = {
  24: 'userDefined',
  25: 'Infinity',
  26: '+QNaN',
  27: '+SNaN',
  29: '-Infinity',
  30: '-QNaN',
  31: '-SNaN',
};

const MAX_BYTES = 8;

/**
 * Returns the step and the zero offset of a mapping (ST 1201.5 section 8.1.2): value = (integer - offset) * step + min.
 */
export function imapbTerms(min: number, max: number, length: number): { step: number; offset: number } {
  const step = 2 ** (Math.ceil(Math.log2(max - min)) - (8 * length - 1));
  const lowest = min / step;
  const offset = min < 0 && max > 0 ? lowest - Math.floor(lowest) : 0;
  return { step, offset };
}

/**
 * Reads the IMAPB number in bytes[start, start + length) for the range min..max.
 *
 * Infinities are returned as such, every other special value as NaN; `imapbSpecial` distinguishes them.
 * @throws FormatError when the length is not 1 to 8 or the bytes end too soon.
 */
export function decodeImapb(bytes: Uint8Array, start: number, length: number, min: number, max: number): number {
  const special = imapbSpecial(bytes, start, length);
  if (special === 'Infinity') return Infinity;
  if (special === '-Infinity') return -Infinity;
  if (special !== null) return Number.NaN;

  const { step, offset } = imapbTerms(min, max, length);
  let integer = 0;
  for (let at = start; at < start + length; at++) integer = integer * 256 + bytes[at]!;
  const value = (integer - offset) * step + min;
  // ST 1201 requires that an encoded zero is decoded as exactly zero, despite rounding.
  return Math.abs(value) < step / 2 ? 0 : value;
}

/**
 * Returns the special value that the IMAPB integer in bytes[start, start + length) represents; null for a number.
 * @throws FormatError when the length is not 1 to 8 or the bytes end too soon.
 */
export function imapbSpecial(bytes: Uint8Array, start: number, length: number): ImapbSpecial | null {
  if (!(length >= 1 && length <= MAX_BYTES)) throw new FormatError(`IMAPB value of ${length} bytes`, start);
  if (start + length > bytes.length) throw new FormatError('IMAPB value cut short', start);
  const first = bytes[start]!;
  // The high bit alone represents the largest number of a range whose width is a power of two.
  if (first < 0x80 || (first === 0x80 && isZero(bytes, start + 1, start + length))) return null;
  if (first === FIRST_BYTE.belowMinimum) return 'belowMinimum';
  if (first === FIRST_BYTE.aboveMaximum) return 'aboveMaximum';
  return SPECIAL_BY_PREFIX[first >> 3] ?? 'reserved';
}

/**
 * Encodes a number, or a special value, as IMAPB of `length` bytes for the range min..max. NaN is written as '+QNaN';
 * numbers outside the range as 'belowMinimum' or 'aboveMaximum' (ST 1201.5 section 8.2.1).
 * @throws RangeError when the length is not 1 to 8 or the range is empty.
 */
export function encodeImapb(value: number | ImapbSpecial, min: number, max: number, length: number): Uint8Array {
  if (!(length >= 1 && length <= MAX_BYTES)) throw new RangeError(`IMAPB of ${length} bytes: allowed are 1 to 8`);
  if (!(max > min)) throw new RangeError(`IMAPB over ${min}..${max}: the range is empty`);
  const bytes = new Uint8Array(length);
  const special = typeof value === 'number' ? specialOf(value, min, max) : value;
  if (special !== null) {
    bytes[0] = FIRST_BYTE[special];
    return bytes;
  }

  const { step, offset } = imapbTerms(min, max, length);
  let integer = Math.floor((Number(value) - min) / step + offset);
  for (let at = length - 1; at >= 0; at--) {
    bytes[at] = integer % 256;
    integer = Math.floor(integer / 256);
  }
  return bytes;
}

function specialOf(value: number, min: number, max: number): ImapbSpecial | null {
  if (Number.isNaN(value)) return '+QNaN';
  if (value === Infinity) return 'Infinity';
  if (value === -Infinity) return '-Infinity';
  if (value < min) return 'belowMinimum';
  if (value > max) return 'aboveMaximum';
  return null;
}

function isZero(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== 0) return false;
  return true;
}
