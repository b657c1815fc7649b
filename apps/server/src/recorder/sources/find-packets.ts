import { PACKET_SIZE } from '@osprey/mpegts';

export const SYNC = 0x47;
/** Number of sync bytes in their places that make a stream believed. */
export const CONFIRMING = 3;

/** The next place where packets begin, or the first from which on more bytes are needed to know. */
export function findPackets(bytes: Buffer, from: number): { at: number; isSure: boolean } {
  for (let at = bytes.indexOf(SYNC, from); at !== -1; at = bytes.indexOf(SYNC, at + 1)) {
    let seen = 1;
    while (seen < CONFIRMING && bytes[at + seen * PACKET_SIZE] === SYNC) seen += 1;
    if (seen === CONFIRMING) return { at, isSure: true };
    if (at + seen * PACKET_SIZE >= bytes.length) return { at, isSure: false };
  }
  return { at: bytes.length, isSure: false };
}
