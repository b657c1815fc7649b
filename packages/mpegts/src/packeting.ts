import { crc32 } from './crc32.ts';
import { PACKET_SIZE, SYNC_BYTE } from './packet.ts';
import { PAT_TABLE } from './psi.ts';

/** Layout of the packets in a stream. */
export type Packeting = {
  /**
   * Distance between packets in bytes: 188, 192 (with 4 preceding bytes of arrival time) or 204 (with 16 following
   * bytes of parity).
   */
  packetSize: 188 | 192 | 204;
  /** Offset of the first whole packet, including its arrival time. */
  firstPacket: number;
  /** Offset of the sync byte within a packet: 4 for packets of 192 bytes, otherwise 0. */
  syncOffset: number;
};

/** Number of sync bytes at packet distance that are needed to identify a transport stream. */
const NEEDED = 5;
/** Size of the pieces in which a stream is searched, in bytes. */
export const DETECTION_WINDOW = 65_536;
/**
 * Maximum number of other bytes before the first packet, for example from a receiver that was switched on late, or a
 * recorder's header.
 */
const GARBAGE_MAX = 1_048_576;
/**
 * Number of packets that are needed to identify a stream after more than 64 KiB of other bytes, unless there is a
 * program association table. Five sync bytes may occur there by chance (once in 2 ** 32 positions for each distance).
 */
const NEEDED_LATE = 50;

const SIZES = [188, 192, 204] as const;

/**
 * Number of bytes, counted from the first candidate, that are sufficient to decide whether late packets are genuine.
 */
export const LATE_SPAN = NEEDED_LATE * 204 + PACKET_SIZE;

/**
 * Finds the packets in the first bytes of a stream; null if there are none.
 *
 * In the first 64 KiB, five sync bytes at a distance of 188, 192 or 204 bytes are required; after that, up to 1 MiB, 50
 * sync bytes or a program association table among them. A shorter stream must consist of whole packets from its first
 * byte on.
 *
 * @param before number of bytes of the stream before `head`, in which no packets were found
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

/**
 * Whether a packet contains a complete program association table with a correct checksum (ISO/IEC 13818-1, 2.4.4.3).
 */
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
  // The arrival time of the very first packet may be missing.
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
