import { PACKET_SIZE } from '@osprey/mpegts';
import { findPackets, SYNC } from './find-packets.ts';

export type PacketAligner = {
  push(bytes: Buffer): void;
  /** Returns the number of bytes that belonged to no packet. */
  skipped(): number;
};

/** Finds complete transport packets in pieces of any size. Bytes that belong to no packet are skipped. */
export function packetAligner(release: (packets: Uint8Array) => void): PacketAligner {
  let rest: Buffer = Buffer.alloc(0);
  let inSync = false;
  let skipped = 0;

  /** Releases packets. Returns the offset of the first byte that must be kept. */
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
