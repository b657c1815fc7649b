import { readApplication } from './applications.ts';
import type { AddressedBinary, BroadcastBinary, SlotBinary } from './messages.ts';
import type { Payload } from './payload.ts';

/** Reads the content from bit `at` on, which begins with an application identifier of 16 bits. */
function readIdentified(payload: Payload, at: number, end: number) {
  const dac = payload.uint(at, 10);
  const fi = payload.uint(at + 10, 6);
  const start = at + 16;
  const dataBits = Math.max(0, end - start);
  return { dac, fi, data: payload.bytes(start, end), dataBits, content: readApplication(payload, start, dac, fi) };
}

/** Reads message 6 (M.1371-5, Annex 8, § 3.4). */
export const readAddressedBinary = (payload: Payload): AddressedBinary => ({
  type: 6,
  repeat: payload.uint(6, 2),
  mmsi: payload.uint(8, 30),
  sequence: payload.uint(38, 2),
  destination: payload.uint(40, 30),
  retransmitted: payload.flag(70),
  ...readIdentified(payload, 72, payload.bits),
});

/** Reads message 8 (M.1371-5, Annex 8, § 3.6). */
export const readBroadcastBinary = (payload: Payload): BroadcastBinary => ({
  type: 8,
  repeat: payload.uint(6, 2),
  mmsi: payload.uint(8, 30),
  ...readIdentified(payload, 40, payload.bits),
});

/** Number of bits after the data of message 26: four spare ones, then the communication state with its selector. */
const STATE_BITS = 24;

/** Reads messages 25 and 26 (M.1371-5, Annex 8, § 3.23 and § 3.24). A destination is followed by two spare bits. */
export function readSlotBinary(payload: Payload, type: 25 | 26): SlotBinary {
  const addressed = payload.flag(38);
  const structured = payload.flag(39);
  const start = addressed ? 72 : 40;
  const end = type === 26 ? payload.bits - STATE_BITS : payload.bits;
  const content = structured
    ? readIdentified(payload, start, end)
    : { dac: null, fi: null, data: payload.bytes(start, end), dataBits: Math.max(0, end - start), content: null };
  return {
    type,
    repeat: payload.uint(6, 2),
    mmsi: payload.uint(8, 30),
    destination: addressed ? payload.uint(40, 30) : null,
    ...content,
    radio: type === 26 ? payload.uint(payload.bits - 20, 20) : null,
  };
}
