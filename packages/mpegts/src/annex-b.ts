import { createViewOf } from './words.ts';

/**
 * Returns the offset of the first byte of the next start code 00 00 01 (ITU-T H.264 annex B) at or after `from`, or -1.
 */
export function findStartCode(bytes: Uint8Array, from: number, end: number): number {
  let at = from + 2;
  while (at < end) {
    const byte = bytes[at]!;
    if (byte > 1) at += 3;
    else if (byte === 0) at++;
    else if (bytes[at - 1] === 0 && bytes[at - 2] === 0) return at - 2;
    else at += 3;
  }
  return -1;
}

/**
 * Calls a function with each NAL unit of an access unit in [start, end), without its start code and trailing zeros
 * (ITU-T H.264 annex B).
 */
export function eachNalUnit(
  bytes: Uint8Array,
  start: number,
  end: number,
  visit: (nalStart: number, nalEnd: number) => void,
) {
  let code = findStartCode(bytes, start, end);
  while (code >= 0) {
    const nal = code + 3;
    const next = findStartCode(bytes, nal, end);
    let nalEnd = next < 0 ? end : next;
    while (nalEnd > nal && bytes[nalEnd - 1] === 0) nalEnd--;
    if (nalEnd > nal) visit(nal, nalEnd);
    code = next;
  }
}

/** Returns a NAL unit's bytes with the emulation prevention bytes (00 00 03) removed (ITU-T H.264 7.4.1). */
export function unescapeNal(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const out = new Uint8Array(end - start);
  let length = 0;
  let zeros = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    out[length++] = byte;
  }
  return out.subarray(0, length);
}

/**
 * A position in a NAL unit that ends at `end` and still contains its emulation prevention bytes. The initial `at` must
 * not be inside an escape sequence.
 */
export type EscapedCursor = { bytes: Uint8Array; at: number; end: number };

/**
 * Returns the next byte that is not an emulation prevention byte; -1 at the end. The cursor must start after the unit's
 * header.
 */
export function nextUnescaped(cursor: EscapedCursor): number {
  if (isEmulationPrevention(cursor.bytes, cursor.at)) cursor.at++;
  return cursor.at < cursor.end ? cursor.bytes[cursor.at++]! : -1;
}

/** Skips a number of bytes, not counting emulation prevention bytes. */
export function skipEscaped(cursor: EscapedCursor, count: number) {
  const { bytes, end } = cursor;
  let last = cursor.at + count;
  for (let at = cursor.at; at < last && at < end; ) {
    if (isEmulationPrevention(bytes, at)) last++;
    // Any other byte cannot be part of an escape sequence, so the next two bytes cannot be an emulation prevention byte
    // either.
    at += bytes[at] === 0 || bytes[at] === 3 ? 1 : 3;
  }
  cursor.at = Math.min(last, end);
}

/**
 * Reads the payloadType or payloadSize of an SEI message (ITU-T H.264 7.3.2.3.1, H.265 7.3.5); -1 if the unit ends too
 * soon.
 */
export function readSeiNumber(cursor: EscapedCursor): number {
  let sum = 0;
  for (;;) {
    const byte = nextUnescaped(cursor);
    if (byte < 0) return -1;
    sum += byte;
    if (byte !== 0xff) return sum;
  }
}

const isEmulationPrevention = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 3 && bytes[at - 1] === 0 && bytes[at - 2] === 0;

/** Stores the last bytes of one table or parameter set, for detecting changes. */
export type SeenBytes = {
  isSame(bytes: Uint8Array, start: number, end: number): boolean;
  keep(bytes: Uint8Array, start: number, end: number): void;
};

/** Creates an empty store: the first bytes always count as changed. */
export function createSeenBytes(): SeenBytes {
  let seen: Uint8Array | null = null;
  const seenView = createViewOf();
  const givenView = createViewOf();

  function isSame(bytes: Uint8Array, start: number, end: number): boolean {
    if (seen === null || seen.length !== end - start) return false;
    const known = seenView(seen);
    const given = givenView(bytes);
    let at = 0;
    for (; at + 4 <= seen.length; at += 4) if (known.getInt32(at) !== given.getInt32(start + at)) return false;
    for (; at < seen.length; at++) if (seen[at] !== bytes[start + at]) return false;
    return true;
  }

  function keep(bytes: Uint8Array, start: number, end: number) {
    seen = bytes.slice(start, end);
  }

  return { isSame, keep };
}
