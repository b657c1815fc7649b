import { readInt, readUint } from './cursor.ts';

/**
 * Same result as `readUint`, but computed with shifts if 32 bits suffice. 64-bit numbers are computed as high * 2^32 +
 * low, exact up to 2^53.
 */
export function readUintFast(bytes: Uint8Array, start: number, end: number): number {
  switch (end - start) {
    case 1:
      return bytes[start]!;
    case 2:
      return (bytes[start]! << 8) | bytes[start + 1]!;
    case 4:
      return read32(bytes, start) >>> 0;
    case 8:
      return (read32(bytes, start) >>> 0) * 4294967296 + (read32(bytes, start + 4) >>> 0);
    default:
      return readUint(bytes, start, end);
  }
}

/** Same result as `readInt`, but computed with shifts if 32 bits suffice. */
export function readIntFast(bytes: Uint8Array, start: number, end: number): number {
  switch (end - start) {
    case 1:
      return (bytes[start]! << 24) >> 24;
    case 2:
      return ((bytes[start]! << 24) >> 16) | bytes[start + 1]!;
    case 4:
      return read32(bytes, start);
    default:
      return readInt(bytes, start, end);
  }
}

function read32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
}
