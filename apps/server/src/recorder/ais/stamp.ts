import type { Buffer } from 'node:buffer';
import { hex, STAMP_BYTES } from '../../recorder-wire/ais-files.ts';

const BACKSLASH = 0x5c;
const LF = 0x0a;

/**
 * Writes a line preceded by its time of reception, in the format of AIS files: see recorder-wire/ais-files.ts.
 *
 * @returns number of bytes written; the buffer must have space for the line, STAMP_BYTES and 1 more byte
 */
export function writeStamped(into: Buffer, line: Uint8Array, receivedUs: number): number {
  into.write(`\\c:${String(Math.floor(receivedUs / 1000)).padStart(13, '0')}*`, 0, 'latin1');
  let sum = 0;
  for (let at = 1; at < STAMP_BYTES - 4; at += 1) sum ^= into[at]!;
  into.write(hex(sum), STAMP_BYTES - 3, 'latin1');
  into[STAMP_BYTES - 1] = BACKSLASH;
  into.set(line, STAMP_BYTES);
  into[STAMP_BYTES + line.length] = LF;
  return STAMP_BYTES + line.length + 1;
}
