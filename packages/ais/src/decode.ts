import { readAddressedBinary, readBroadcastBinary, readSlotBinary } from './decode-binary.ts';
import {
  readAcknowledge,
  readAddressedText,
  readAssignment,
  readBroadcastText,
  readChannelManagement,
  readDataLink,
  readDgnss,
  readGroupAssignment,
  readInterrogation,
  readUtcInquiry,
} from './decode-control.ts';
import {
  readAidToNavigation,
  readBaseStation,
  readPositionBExtended,
  readStaticA24,
  readStaticB24,
  readStaticVoyage,
} from './decode-static.ts';
import type { AisMessage } from './messages.ts';
import type { Payload } from './payload.ts';

/** Bits up to the last required field of a message, by type; receivers often cut spare bits at the end. */
const MINIMUM_BITS = [
  ...[0, 168, 168, 168, 168, 420, 88, 72, 56, 168],
  ...[70, 168, 72, 72, 40, 88, 92, 80, 168, 308],
  ...[70, 271, 145, 154, 160, 40, 64, 96],
];

/**
 * Decodes a message other than a position report.
 *
 * @returns the message, or the reason why there is none
 */
export function decodePayload(payload: Payload): AisMessage | 'tooShort' | 'unknownType' {
  const type = payload.uint(0, 6);
  const minimum = MINIMUM_BITS[type];
  if (payload.bits < 6 || minimum === undefined || type === 0) return payload.bits < 6 ? 'tooShort' : 'unknownType';
  if (payload.bits < minimum) return 'tooShort';
  switch (type) {
    case 4:
    case 11:
      return readBaseStation(payload, type);
    case 5:
      return readStaticVoyage(payload);
    case 6:
      return readAddressedBinary(payload);
    case 7:
    case 13:
      return readAcknowledge(payload, type);
    case 8:
      return readBroadcastBinary(payload);
    case 10:
      return readUtcInquiry(payload);
    case 12:
      return readAddressedText(payload);
    case 14:
      return readBroadcastText(payload);
    case 15:
      return readInterrogation(payload);
    case 16:
      return readAssignment(payload);
    case 17:
      return readDgnss(payload);
    case 19:
      return readPositionBExtended(payload);
    case 20:
      return readDataLink(payload);
    case 21:
      return readAidToNavigation(payload);
    case 22:
      return readChannelManagement(payload);
    case 23:
      return readGroupAssignment(payload);
    case 24:
      return readPart24(payload);
    case 25:
    case 26:
      return readSlotBinary(payload, type);
    default:
      return 'unknownType';
  }
}

function readPart24(payload: Payload): AisMessage | 'tooShort' | 'unknownType' {
  const part = payload.uint(38, 2);
  if (part === 0) return readStaticA24(payload);
  if (part !== 1) return 'unknownType';
  return payload.bits < 162 ? 'tooShort' : readStaticB24(payload);
}
