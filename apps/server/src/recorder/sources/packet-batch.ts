import { PACKET_SIZE } from '@osprey/mpegts';

const SYNC = 0x47;
const FIRST_SIZE = 64 * 1024;

/** Collects transport packets of many datagrams, so that they are passed on in one piece. */
export function packetBatch() {
  let buffer = new Uint8Array(FIRST_SIZE);
  let used = 0;

  function makeRoom(bytes: number): void {
    if (used + bytes <= buffer.length) return;
    const larger = new Uint8Array(Math.max(2 * buffer.length, used + bytes));
    larger.set(buffer.subarray(0, used));
    buffer = larger;
  }

  return {
    /** Adds complete packets. Packets without a sync byte are left out; returns the number of these. */
    add(bytes: Uint8Array): number {
      makeRoom(bytes.length);
      let wrong = 0;
      for (let at = 0; at + PACKET_SIZE <= bytes.length; at += PACKET_SIZE) {
        if (bytes[at] !== SYNC) {
          wrong += 1;
          continue;
        }
        buffer.set(bytes.subarray(at, at + PACKET_SIZE), used);
        used += PACKET_SIZE;
      }
      return wrong;
    },
    /**
     * Returns the collected packets and empties the batch. The returned bytes are valid until more packets are added.
     */
    take(): Uint8Array {
      const taken = buffer.subarray(0, used);
      used = 0;
      return taken;
    },
    isEmpty: () => used === 0,
  };
}

/** Whether the bytes of a datagram or an RTP payload consist of complete transport packets. */
export const isTransport = (bytes: Uint8Array): boolean =>
  bytes.length >= PACKET_SIZE && bytes.length % PACKET_SIZE === 0 && bytes[0] === SYNC;
