import { PACKET_SIZE } from '@osprey/mpegts';

const SYNC = 0x47;
/** So many sync bytes in their places are believed. */
const CONFIRMING = 3;

/** Finds whole transport packets in bytes that come in pieces of any size; what lies between them is left out. */
export function packetAligner(release: (packets: Uint8Array) => void) {
  let rest: Buffer = Buffer.alloc(0);
  let inSync = false;
  let skipped = 0;

  /** Gives the first byte that is still needed. */
  function read(bytes: Buffer): number {
    let at = 0;
    for (;;) {
      if (!inSync) {
        const found = findPackets(bytes, at);
        skipped += found.at - at;
        at = found.at;
        if (!found.isSure) return at;
        inSync = true;
      }
      const begin = at;
      while (at + PACKET_SIZE <= bytes.length && bytes[at] === SYNC) at += PACKET_SIZE;
      if (at > begin) release(bytes.subarray(begin, at));
      if (at + PACKET_SIZE > bytes.length) return at;
      inSync = false;
    }
  }

  return {
    push(bytes: Buffer): void {
      const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      rest = Buffer.from(all.subarray(read(all)));
    },
    skipped: () => skipped,
  };
}

/** The next place where packets begin, or the first from which on more bytes are needed to know. */
function findPackets(bytes: Buffer, from: number): { at: number; isSure: boolean } {
  for (let at = bytes.indexOf(SYNC, from); at !== -1; at = bytes.indexOf(SYNC, at + 1)) {
    let seen = 1;
    while (seen < CONFIRMING && bytes[at + seen * PACKET_SIZE] === SYNC) seen += 1;
    if (seen === CONFIRMING && at + CONFIRMING * PACKET_SIZE <= bytes.length) return { at, isSure: true };
    if (at + seen * PACKET_SIZE >= bytes.length || seen === CONFIRMING) return { at, isSure: false };
  }
  return { at: bytes.length, isSure: false };
}
