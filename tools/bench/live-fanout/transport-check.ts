import { PACKET_SIZE } from '@osprey/mpegts';

const VIDEO_PID = 256;

/**
 * Reads a transport stream in pieces of any size and counts pictures, and video packets that are missing according to
 * the continuity counter.
 */
export function transportCheck() {
  let last: number | null = null;
  let rest: Buffer = Buffer.alloc(0);
  let pictures = 0;
  let missing = 0;

  function take(packet: Buffer): void {
    if (packet[0] !== 0x47) throw new Error('The transport stream has lost its packets');
    const pid = packet.readUInt16BE(1) & 0x1fff;
    const hasPayload = (packet[3]! & 0x10) !== 0;
    // Tables are repeated before each segment, so their counters do not indicate loss.
    if (pid !== VIDEO_PID || !hasPayload) return;
    const counter = packet[3]! & 0x0f;
    if ((packet[1]! & 0x40) !== 0) pictures += 1;
    if (last !== null) missing += (counter - last - 1 + 16) % 16;
    last = counter;
  }

  return {
    push(bytes: Buffer): void {
      const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      let at = 0;
      for (; at + PACKET_SIZE <= all.length; at += PACKET_SIZE) take(all.subarray(at, at + PACKET_SIZE));
      rest = all.subarray(at);
    },
    pictures: () => pictures,
    missing: () => missing,
  };
}
