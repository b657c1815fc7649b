import { messageHead } from './messages.ts';
import { BINARY_HEAD, FRAME } from './protocol.ts';

const UUID_BYTES = 16;
/** Range of times in a transport stream, which have 33 bits. */
const WRAP = 2 ** 33;

export type MediaMessage = { sensorId: string; arrivalUs: number; lost: boolean; packets: Buffer };
/**
 * One KLV set of a live stream as received. `ptsTicks`: 90 kHz, null if its packet had no PTS. `pid`: PID of its
 * stream.
 */
export type LiveKlv = { bytes: Uint8Array; ptsTicks: number | null; arrivalUs: number; pid: number };
export type KlvMessage = { sensorId: string; arrivalUs: number; ptsTicks: number; pid: number; klv: Buffer };

/** Encodes the header of a media frame: everything before its packets. */
export function mediaHead(
  sensorId: string,
  { arrivalUs, lost, size }: { arrivalUs: number; lost: boolean; size: number },
): Buffer {
  const head = Buffer.allocUnsafe(BINARY_HEAD.media.bytes);
  head.write(sensorId.replaceAll('-', ''), BINARY_HEAD.sensor, UUID_BYTES, 'hex');
  head.writeDoubleBE(arrivalUs, BINARY_HEAD.arrival);
  head[BINARY_HEAD.media.flags] = lost ? 1 : 0;
  return Buffer.concat([messageHead(FRAME.media, head.length + size), head]);
}

export function klvMessage(sensorId: string, { bytes, ptsTicks, arrivalUs, pid }: LiveKlv): Buffer {
  const payload = Buffer.alloc(BINARY_HEAD.klv.bytes + bytes.length);
  payload.write(sensorId.replaceAll('-', ''), BINARY_HEAD.sensor, UUID_BYTES, 'hex');
  payload.writeDoubleBE(arrivalUs, BINARY_HEAD.arrival);
  payload.writeDoubleBE(ptsTicks === null ? Number.NaN : ((ptsTicks % WRAP) + WRAP) % WRAP, BINARY_HEAD.klv.pts);
  payload.writeUInt16BE(pid, BINARY_HEAD.klv.pid);
  payload.set(bytes, BINARY_HEAD.klv.bytes);
  return Buffer.concat([messageHead(FRAME.klv, payload.length), payload]);
}

/** Reads the payload of a media frame; its packets are a view into it. */
export function readMediaMessage(payload: Buffer): MediaMessage {
  return {
    sensorId: readSensorId(payload),
    arrivalUs: payload.readDoubleBE(BINARY_HEAD.arrival),
    lost: payload[BINARY_HEAD.media.flags] === 1,
    packets: payload.subarray(BINARY_HEAD.media.bytes),
  };
}

/** Reads the payload of a klv frame; the packet is a view into it. PTS is NaN before the first picture. */
export function readKlvMessage(payload: Buffer): KlvMessage {
  return {
    sensorId: readSensorId(payload),
    arrivalUs: payload.readDoubleBE(BINARY_HEAD.arrival),
    ptsTicks: payload.readDoubleBE(BINARY_HEAD.klv.pts),
    pid: payload.readUInt16BE(BINARY_HEAD.klv.pid),
    klv: payload.subarray(BINARY_HEAD.klv.bytes),
  };
}

function readSensorId(payload: Buffer): string {
  const hex = payload.toString('hex', BINARY_HEAD.sensor, BINARY_HEAD.sensor + UUID_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
