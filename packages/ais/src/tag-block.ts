import { epochUs } from './times.ts';

const COMMA = 44;
const COLON = 58;
const STAR = 42;
const MINUS = 45;
const POINT = 46;
const LETTER_C = 99;
const LETTER_G = 103;
const LETTER_S = 115;
const CAPITAL_G = 71;

const isDigit = (byte: number) => byte >= 48 && byte <= 57;

/** A value so low that a byte computed with it is always negative. */
const NO_DIGIT = -256;

/**
 * Returns the value of a hexadecimal digit. For other characters it is a number so low that a pair of digits becomes
 * negative.
 */
export function hexDigit(byte: number): number {
  if (isDigit(byte)) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : NO_DIGIT;
}

/**
 * Maximum number of cached source texts. Sources are few and repeat, and the limit keeps a sender that invents new ones
 * from filling the memory.
 */
const MAX_SOURCES = 1024;

/** Reads tag blocks (NMEA 0183 4.0, § 7; IEC 61162-450, § 7.2.3). One object is reused for all blocks. */
export class TagBlock {
  /** Time in UTC microseconds; NaN if there is none, or it is implausible. */
  timeUs = Number.NaN;
  source: string | null = null;
  /** Number of the sentence's group, or -1. */
  group = -1;
  /** The block had an implausible time. */
  timeFault = false;
  readonly #sources = new Map<number, string>();

  clear() {
    this.timeUs = Number.NaN;
    this.source = null;
    this.group = -1;
    this.timeFault = false;
  }

  /**
   * Reads the text between the two backslashes.
   *
   * @returns false if it is not a tag block, or its checksum is wrong, so that it must not be used
   */
  read(bytes: Uint8Array, start: number, end: number): boolean {
    this.clear();
    let sum = 0;
    let star = start;
    for (; star < end && bytes[star] !== STAR; star++) sum ^= bytes[star]!;
    // Some senders write the checksum with one digit.
    const digits = end - star - 1;
    if (digits !== 1 && digits !== 2) return false;
    const first = hexDigit(bytes[star + 1]!);
    const stated = digits === 1 ? first : first * 16 + hexDigit(bytes[star + 2]!);
    if (first < 0 || stated !== sum) return false;
    let times = 0;
    for (let at = start; at < star; at++) {
      let fieldEnd = at;
      while (fieldEnd < star && bytes[fieldEnd] !== COMMA) fieldEnd++;
      if (bytes[at + 1] === COLON) {
        const code = bytes[at]!;
        if (code === LETTER_C) {
          this.timeUs = readTime(bytes, at + 2, fieldEnd);
          times++;
        } else if (code === LETTER_S) this.source = this.#text(bytes, at + 2, fieldEnd);
        else if (code === LETTER_G) this.group = readGroup(bytes, at + 2, fieldEnd);
      } else if (bytes[at + 1] === CAPITAL_G && bytes[at + 3] === COLON) {
        // Older form: 1G2:0125.
        this.group = readNumber(bytes, at + 4, fieldEnd);
      }
      at = fieldEnd;
    }
    if (times > 1) this.timeUs = Number.NaN;
    this.timeFault = times > 0 && Number.isNaN(this.timeUs);
    return true;
  }

  #text(bytes: Uint8Array, start: number, end: number): string | null {
    if (end === start) return null;
    let hash = end - start;
    for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + bytes[i]!) | 0;
    const existing = this.#sources.get(hash);
    if (existing !== undefined && isText(existing, bytes, start, end)) return existing;
    const text = String.fromCharCode(...bytes.subarray(start, end));
    if (this.#sources.size >= MAX_SOURCES) this.#sources.clear();
    this.#sources.set(hash, text);
    return text;
  }
}

function isText(text: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}

function readNumber(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let i = start; i < end; i++) {
    if (!isDigit(bytes[i]!)) return -1;
    value = value * 10 + bytes[i]! - 48;
  }
  return end > start && end - start < 10 ? value : -1;
}

/** Reads the group number from a field with sentence, total and group number, such as 1-2-1604. */
function readGroup(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && bytes[at - 1] !== MINUS) at--;
  return at > start ? readNumber(bytes, at, end) : -1;
}

/** Reads a count since 1970 in seconds, with or without a fraction, or in milliseconds. */
function readTime(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  let fraction = 0;
  let unit = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (byte === POINT && unit === 0) unit = 1;
    else if (!isDigit(byte)) return Number.NaN;
    else if (unit === 0) value = value * 10 + byte - 48;
    else {
      unit /= 10;
      fraction += (byte - 48) * unit;
    }
  }
  return epochUs(value + fraction);
}
