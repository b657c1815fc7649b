import { COARSE, degrees, nullOfNan, place } from './fields.ts';
import type {
  Acknowledge,
  AddressedText,
  Area,
  Assignment,
  BroadcastText,
  ChannelManagement,
  DataLink,
  DgnssBroadcast,
  GroupAssignment,
  Interrogation,
  UtcInquiry,
} from './messages.ts';
import type { Payload } from './payload.ts';

const repeatOf = (payload: Payload) => payload.uint(6, 2);
const mmsiOf = (payload: Payload) => payload.uint(8, 30);
const textFrom = (payload: Payload, at: number) => payload.text(at, Math.floor((payload.bits - at) / 6));

/** Reads messages 7 and 13 (M.1371-5, Annex 8, § 3.5): as many acknowledgements as fit, up to four. */
export function readAcknowledge(payload: Payload, type: 7 | 13): Acknowledge {
  const acknowledged: Acknowledge['acknowledged'] = [];
  for (let at = 40; at + 30 <= payload.bits && acknowledged.length < 4; at += 32) {
    acknowledged.push({ mmsi: payload.uint(at, 30), sequence: payload.uint(at + 30, 2) });
  }
  return { type, repeat: repeatOf(payload), mmsi: mmsiOf(payload), acknowledged };
}

/** Reads message 10 (M.1371-5, Annex 8, § 3.8). */
export const readUtcInquiry = (payload: Payload): UtcInquiry => ({
  type: 10,
  repeat: repeatOf(payload),
  mmsi: mmsiOf(payload),
  destination: payload.uint(40, 30),
});

/** Reads message 12 (M.1371-5, Annex 8, § 3.10). */
export const readAddressedText = (payload: Payload): AddressedText => ({
  type: 12,
  repeat: repeatOf(payload),
  mmsi: mmsiOf(payload),
  sequence: payload.uint(38, 2),
  destination: payload.uint(40, 30),
  retransmitted: payload.flag(70),
  text: textFrom(payload, 72),
});

/** Reads message 14 (M.1371-5, Annex 8, § 3.12). */
export const readBroadcastText = (payload: Payload): BroadcastText => ({
  type: 14,
  repeat: repeatOf(payload),
  mmsi: mmsiOf(payload),
  text: textFrom(payload, 40),
});

/**
 * Reads message 15 (M.1371-5, Annex 8, § 3.13): requests one or two messages of one station, then one of a second
 * station.
 */
export function readInterrogation(payload: Payload): Interrogation {
  const first = payload.uint(40, 30);
  const requests: Interrogation['requests'] = [];
  const add = (mmsi: number, at: number) => {
    const messageType = payload.uint(at, 6);
    // A type of zero means that no message is requested.
    if (at === 70 || (at + 18 <= payload.bits && messageType !== 0)) {
      requests.push({ mmsi, messageType, slotOffset: payload.uint(at + 6, 12) });
    }
  };
  add(first, 70);
  add(first, 90);
  add(payload.uint(110, 30), 140);
  return { type: 15, repeat: repeatOf(payload), mmsi: mmsiOf(payload), requests };
}

/**
 * Reads message 16 (M.1371-5, Annex 8, § 3.14), which has 92 bits for one station (96 with spare bits) and 144 for two.
 */
export function readAssignment(payload: Payload): Assignment {
  const assignments: Assignment['assignments'] = [];
  for (const at of [40, 92]) {
    if (at + 52 > payload.bits) continue;
    const [mmsi, offset, increment] = [payload.uint(at, 30), payload.uint(at + 30, 12), payload.uint(at + 42, 10)];
    if (mmsi !== 0) assignments.push({ mmsi, offset, increment });
  }
  return { type: 16, repeat: repeatOf(payload), mmsi: mmsiOf(payload), assignments };
}

/** Reads message 17 (M.1371-5, Annex 8, § 3.15). */
export const readDgnss = (payload: Payload): DgnssBroadcast => ({
  type: 17,
  repeat: repeatOf(payload),
  mmsi: mmsiOf(payload),
  ...place(payload.int(40, 18), payload.int(58, 17), COARSE),
  data: payload.bytes(80, payload.bits),
  dataBits: Math.max(0, payload.bits - 80),
});

/** Reads message 20 (M.1371-5, Annex 8, § 3.18): one to four reservations. */
export function readDataLink(payload: Payload): DataLink {
  const reservations: DataLink['reservations'] = [];
  for (let at = 40; at + 30 <= payload.bits && reservations.length < 4; at += 30) {
    const slots = payload.uint(at + 12, 4);
    if (slots === 0) continue;
    reservations.push({
      offset: payload.uint(at, 12),
      slots,
      timeout: payload.uint(at + 16, 3),
      increment: payload.uint(at + 19, 11),
    });
  }
  return { type: 20, repeat: repeatOf(payload), mmsi: mmsiOf(payload), reservations };
}

/** Reads an area given by two corners, north-east first, with longitudes of 18 and latitudes of 17 bits. */
function readArea(payload: Payload, at: number): Area {
  const latitude = (start: number) => nullOfNan(degrees(payload.int(start, 17), COARSE, 90));
  const longitude = (start: number) => nullOfNan(degrees(payload.int(start, 18), COARSE, 180));
  return { east: longitude(at), north: latitude(at + 18), west: longitude(at + 35), south: latitude(at + 53) };
}

/** Reads message 22 (M.1371-5, Annex 8, § 3.20). */
export function readChannelManagement(payload: Payload): ChannelManagement {
  const addressed = payload.flag(139);
  return {
    type: 22,
    repeat: repeatOf(payload),
    mmsi: mmsiOf(payload),
    channelA: payload.uint(40, 12),
    channelB: payload.uint(52, 12),
    txRx: payload.uint(64, 4),
    lowPower: payload.flag(68),
    area: addressed ? null : readArea(payload, 69),
    destinations: addressed ? [payload.uint(69, 30), payload.uint(104, 30)] : [],
    narrowA: payload.flag(140),
    narrowB: payload.flag(141),
    zone: payload.uint(142, 3) + 1,
  };
}

/** Reads message 23 (M.1371-5, Annex 8, § 3.21). */
export const readGroupAssignment = (payload: Payload): GroupAssignment => ({
  type: 23,
  repeat: repeatOf(payload),
  mmsi: mmsiOf(payload),
  area: readArea(payload, 40),
  stationType: payload.uint(110, 4),
  shipType: payload.uint(114, 8),
  txRx: payload.uint(144, 2),
  interval: payload.uint(146, 4),
  quiet: payload.uint(150, 4),
});
