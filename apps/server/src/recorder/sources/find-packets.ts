import { PACKET_SIZE } from '@osprey/mpegts';

export const SYNC = 0x47;
/** Number of sync bytes in a row, one packet apart, that confirm a transport stream. */
export const CONFIRMING = 3;

/** Offset of the next packets; `isSure` false: offset from which more bytes are needed to decide. */
export function findPackets(bytes: Buffer, from: number): { at: number; isSure: boolean } {
  for (let at = bytes.indexOf(SYNC, from); at !== -1; at = bytes.indexOf(SYNC, at + 1)) {
    let seen = 1;
    while (seen < CONFIRMING && bytes[at + seen * PACKET_SIZE] === SYNC) seen += 1;
    if (seen === CONFIRMING) return { at, isSure: true };
    if (at + seen * PACKET_SIZE >= bytes.length) return { at, isSure: false };
  }
  return { at: bytes.length, isSure: false };
}
