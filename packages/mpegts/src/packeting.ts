import { crc32 } from './crc32.ts';
import { PACKET_SIZE, SYNC_BYTE } from './packet.ts';
import { PAT_TABLE } from './psi.ts';

/** Layout of the packets in a stream. */
export type Packeting = {
  /** Bytes from packet to packet: 188, 192 (after 4 bytes of arrival time) or 204 (followed by 16 bytes of parity). */
  packetSize: 188 | 192 | 204;
  /** Offset of the first whole packet, its arrival time included. */
  firstPacket: number;
  /** Offset of the sync byte in a packet: 4 with 192 bytes, else 0. */
  syncOffset: number;
};

/** Number of sync bytes at packet distance that identify a transport stream. */
const NEEDED = 5;
/** A stream is searched in pieces of this size. */
export const DETECTION_WINDOW = 65_536;
/** Most other bytes before the first packet, as from a receiver that was switched on late, or a recorder's header. */
const GARBAGE_MAX = 1_048_576;
/**
 * After more than 64 KiB of other bytes, five sync bytes may be there by chance (once in 2 ** 32 positions for each
 * distance), so this number of packets, or a program association table, is required.
 */
const NEEDED_LATE = 50;

const SIZES = [188, 192, 204] as const;

/** Number of bytes, from the first candidate on, that decide whether late packets are real. */
export const LATE_SPAN = NEEDED_LATE * 204 + PACKET_SIZE;

/**
 * Finds the packets in the first bytes of a stream, null when there are none.
 *
 * In the first 64 KiB, five sync bytes at a distance of 188, 192 or 204 bytes are required; up to 1 MiB 50 of them, or
 * a program association table among them. A shorter stream must consist of whole packets from its first byte on.
 *
 * @param before bytes of the stream before `head`, in which no packets were found
 */
export function detectPacketing(head: Uint8Array, before = 0): Packeting | null {
  const places = Math.min(head.length, before > 0 ? head.length : GARBAGE_MAX);
  for (let at = 0; at < places; at++) {
    if (head[at] !== SYNC_BYTE) continue;
    for (const packetSize of SIZES) {
      const isLate = before + at + (NEEDED - 1) * packetSize + PACKET_SIZE > DETECTION_WINDOW;
      if (!hasSyncBytes(head, at, packetSize, NEEDED, head.length)) continue;
      if (!isLate || isConfirmedLate(head, at, packetSize)) return packetingAt(at, packetSize);
    }
  }
  return before > 0 ? null : detectFewPackets(head);
}

function isConfirmedLate(bytes: Uint8Array, at: number, packetSize: number): boolean {
  for (let k = 0; ; k++) {
    const place = at + k * packetSize;
    if (k === NEEDED_LATE) return true;
    if (place + PACKET_SIZE > bytes.length || bytes[place] !== SYNC_BYTE) return false;
    if (isPat(bytes, place)) return true;
  }
}

/** Whether a packet holds a whole program association table with the right checksum (ISO/IEC 13818-1, 2.4.4.3). */
function isPat(bytes: Uint8Array, at: number): boolean {
  const isStartOfPid0 = (bytes[at + 1]! & 0xdf) === 0x40 && bytes[at + 2] === 0;
  if (!isStartOfPid0 || (bytes[at + 3]! & 0xd0) !== 0x10) return false;
  const adaptation = bytes[at + 3]! & 0x20 ? 1 + bytes[at + 4]! : 0;
  const payload = at + 4 + adaptation;
  const start = payload + 1 + (bytes[payload] ?? 0);
  const end = start + 3 + (((bytes[start + 1]! & 0x0f) << 8) | bytes[start + 2]!);
  return bytes[start] === PAT_TABLE && end <= at + PACKET_SIZE && end - start >= 12 && crc32(bytes, start, end) === 0;
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
