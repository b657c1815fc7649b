import { PACKET_SIZE, SYNC_BYTE } from './packet.ts';

/** How packets lie in a stream. */
export type Packeting = {
  /** Bytes from packet to packet: 188, 192 (4 bytes of arrival time in front) or 204 (16 bytes of parity behind). */
  packetSize: 188 | 192 | 204;
  /** Offset of the first whole packet, its arrival time included. */
  firstPacket: number;
  /** Where the sync byte lies in a packet: 4 with 192 bytes, else 0. */
  syncOffset: number;
};

/** So many sync bytes in their places make a transport stream. */
const NEEDED = 5;
/** A stream must show itself in this many bytes. */
export const DETECTION_WINDOW = 65_536;

const SIZES = [188, 192, 204] as const;

/**
 * Finds the packets in the first bytes of a stream, null when there are none.
 *
 * Five sync bytes at the distance of 188, 192 or 204 bytes are asked for, anywhere in the first
 * 64 KiB. A shorter stream must consist of whole packets from its first byte on.
 */
export function detectPacketing(head: Uint8Array): Packeting | null {
  const window = Math.min(head.length, DETECTION_WINDOW);
  for (let at = 0; at < window; at++) {
    if (head[at] !== SYNC_BYTE) continue;
    for (const packetSize of SIZES) {
      if (hasSyncBytes(head, at, packetSize, NEEDED, window)) return packetingAt(at, packetSize);
    }
  }
  return detectFewPackets(head);
}

function hasSyncBytes(bytes: Uint8Array, at: number, distance: number, count: number, end: number): boolean {
  if (at + (count - 1) * distance + PACKET_SIZE > end) return false;
  for (let k = 1; k < count; k++) {
    if (bytes[at + k * distance] !== SYNC_BYTE) return false;
  }
  return true;
}

function packetingAt(sync: number, packetSize: 188 | 192 | 204): Packeting {
  const syncOffset = packetSize === 192 ? 4 : 0;
  // The arrival time of the very first packet may be cut off.
  const firstPacket = sync >= syncOffset ? sync - syncOffset : sync - syncOffset + packetSize;
  return { packetSize, firstPacket, syncOffset };
}

function detectFewPackets(head: Uint8Array): Packeting | null {
  for (const packetSize of SIZES) {
    const packets = head.length / packetSize;
    const syncOffset = packetSize === 192 ? 4 : 0;
    if (!Number.isInteger(packets) || packets < 1 || packets >= NEEDED || head[syncOffset] !== SYNC_BYTE) continue;
    if (hasSyncBytes(head, syncOffset, packetSize, packets, head.length)) {
      return { packetSize, firstPacket: 0, syncOffset };
    }
  }
  return null;
}
