import { eachNalUnit, type VideoUnit } from '@osprey/mpegts';

/** One picture as RTP payloads (RFC 6184, packetization-mode 1); the last payload carries the marker bit. */
export type RtpPicture = {
  payloads: readonly Buffer[];
  /** PTS in 90 kHz ticks, modulo 2^32. */
  timestamp: number;
  keyframe: boolean;
};

/**
 * Maximum size of a payload: with IP, UDP, SRTP and RTP headers it stays below 1,280 bytes, which every link can carry.
 */
const PAYLOAD_MAX = 1180;
const WRAP = 2 ** 32;

/** NAL unit types (ITU-T H.264, table 7-1) that are not sent unchanged; below, packet types of RFC 6184, table 1. */
const NOT_SENT = new Set([7, 8, 9, 12]);
const STAP_A = 24;
const FU_A = 28;

export function rtpPicture(unit: VideoUnit): RtpPicture {
  const payloads: Buffer[] = [];
  // A browser that begins here, or has lost the earlier parameter sets, needs them again.
  if (unit.keyframe && unit.sets) addSets(payloads, [...unit.sets.sps, ...unit.sets.pps]);
  eachNalUnit(unit.bytes, unit.start, unit.end, (start, end) => {
    if (!NOT_SENT.has(unit.bytes[start]! & 0x1f)) addNal(payloads, unit.bytes.subarray(start, end));
  });
  return { payloads, timestamp: ((unit.ptsTicks % WRAP) + WRAP) % WRAP, keyframe: unit.keyframe };
}

/** Adds parameter sets, in one STAP-A packet (5.7.1) if they fit. */
function addSets(payloads: Buffer[], sets: readonly Uint8Array[]): void {
  const size = sets.reduce((sum, set) => sum + 2 + set.length, 1);
  if (size > PAYLOAD_MAX) {
    for (const set of sets) addNal(payloads, set);
    return;
  }
  const payload = Buffer.alloc(size);
  payload[0] = (Math.max(...sets.map((set) => set[0]! & 0x60)) & 0x60) | STAP_A;
  let at = 1;
  for (const set of sets) {
    payload.writeUInt16BE(set.length, at);
    payload.set(set, at + 2);
    at += 2 + set.length;
  }
  payloads.push(payload);
}

/** Adds a NAL unit unchanged (5.6), or in fragments of equal size (FU-A, 5.8). */
function addNal(payloads: Buffer[], nal: Uint8Array): void {
  if (nal.length <= PAYLOAD_MAX) {
    payloads.push(Buffer.from(nal));
    return;
  }
  const body = nal.subarray(1);
  const count = Math.ceil(body.length / (PAYLOAD_MAX - 2));
  const size = Math.ceil(body.length / count);
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size);
    const payload = Buffer.alloc(2 + part.length);
    payload[0] = (nal[0]! & 0xe0) | FU_A;
    payload[1] = (at === 0 ? 0x80 : 0) | (at + size >= body.length ? 0x40 : 0) | (nal[0]! & 0x1f);
    payload.set(part, 2);
    payloads.push(payload);
  }
}
