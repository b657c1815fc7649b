import { PACKET_SIZE } from '@osprey/mpegts';

export const SYNC = 0x47;
/** Number of consecutive sync bytes, one packet length apart, that confirm a transport stream. */
export const CONFIRMING = 3;

/**
 * Returns the offset of the next packets. If `isSure` is false, more bytes from that offset on are needed to decide.
 */
export function findPackets(bytes: Buffer, from: number): { at: number; isSure: boolean } {
  for (let at = bytes.indexOf(SYNC, from); at !== -1; at = bytes.indexOf(SYNC, at + 1)) {
    let seen = 1;
    while (seen < CONFIRMING && bytes[at + seen * PACKET_SIZE] === SYNC) seen += 1;
    if (seen === CONFIRMING) return { at, isSure: true };
    if (at + seen * PACKET_SIZE >= bytes.length) return { at, isSure: false };
  }
  return { at: bytes.length, isSure: false };
}
