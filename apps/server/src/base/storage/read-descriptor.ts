import { readSync } from 'node:fs';

/**
 * Reads the first `size` bytes of an open file, or all of a shorter one: a single read may return fewer bytes than
 * asked for.
 */
export function readDescriptor(file: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(file, bytes, filled, size - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
