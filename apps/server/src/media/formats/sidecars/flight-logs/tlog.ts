import type { ByteInput } from './byte-input.ts';
import { FIX_2D, FIX_3D, isUtc, type LogDamage, type LogRecord } from './log-record.ts';

const STAMP = 8;
const [V1, V2] = [0xfe, 0xfd];
const V1_AROUND = 8;
const V2_AROUND = 12;
const SIGNATURE = 13;
const IS_SIGNED = 1;
const SPEED_UNKNOWN = 65_535;
const DEGREES = 180 / Math.PI;
/**
 * Maximum size of a packet with its time stamp. Twice this size contains the first packet and the beginning of the
 * second.
 */
const PACKET_BYTES_MAX = STAMP + 255 + V2_AROUND + SIGNATURE;

/**
 * Messages of the common set that are read: size of their fields without extensions, and the seed of their checksum.
 */
const MESSAGES: Record<number, { bytes: number; seed: number; read: (view: DataView, from: From) => LogRecord[] }> = {
  2: { bytes: 12, seed: 137, read: systemTime },
  24: { bytes: 30, seed: 24, read: gpsRaw },
  30: { bytes: 28, seed: 39, read: attitude },
};

type From = { logUs: number; unit: number };

/** Returns whether bytes begin with a time stamp and a packet, followed by more of the same. */
export function isTlog(head: Uint8Array): boolean {
  const view = new DataView(head.buffer, head.byteOffset, Math.min(head.length, 2 * PACKET_BYTES_MAX));
  if (view.byteLength < STAMP + V1_AROUND || !isRecord(view, 0)) return false;
  const next = STAMP + packetBytes(view, STAMP);
  return next === head.length || (next + STAMP < view.byteLength && isRecord(view, next));
}

const isRecord = (view: DataView, at: number): boolean => {
  const first = view.getUint8(at + STAMP);
  return (first === V1 || first === V2) && isUtc(Number(view.getBigUint64(at)));
};

/** Returns the size of a packet whose first three bytes are available. */
function packetBytes(view: DataView, at: number): number {
  const payload = view.getUint8(at + 1);
  if (view.getUint8(at) === V1) return payload + V1_AROUND;
  return payload + V2_AROUND + (view.getUint8(at + 2) & IS_SIGNED ? SIGNATURE : 0);
}

/**
 * Reads the packets SYSTEM_TIME, GPS_RAW_INT and ATTITUDE of a ground station's log (`.tlog`): MAVLink 1 and 2, each
 * preceded by the time of the ground station in microseconds since 1970. After damage, continues with the next time and
 * packet.
 */
export async function* readTlog(input: ByteInput, damage: LogDamage): AsyncGenerator<LogRecord> {
  while (input.left() >= STAMP + 3 || (await input.has(STAMP + 3))) {
    const head = input.peek(STAMP + 3);
    if (!isRecord(head, 0)) {
      damage.passedBytes += 1;
      input.skip(1);
      continue;
    }
    const length = STAMP + packetBytes(head, STAMP);
    if (input.left() < length && !(await input.has(length))) break;
    const view = input.peek(length);
    const found = packetIn(view);
    if (found === 'bad') {
      // The length may be wrong, so the next packet may begin within this one.
      damage.badRecords += 1;
      input.skip(STAMP + 1);
      continue;
    }
    yield* found;
    input.skip(length);
  }
  damage.isCut ||= input.left() > 0;
}

/** Returns the records of a packet; none for message types that are not read, whose checksum seed is unknown too. */
function packetIn(record: DataView): LogRecord[] | 'bad' {
  const isV1 = record.getUint8(STAMP) === V1;
  const payload = record.getUint8(STAMP + 1);
  const system = record.getUint8(STAMP + (isV1 ? 3 : 5));
  const type = isV1
    ? record.getUint8(STAMP + 5)
    : record.getUint16(STAMP + 7, true) + record.getUint8(STAMP + 9) * 65_536;
  const message = MESSAGES[type];
  if (message === undefined) return [];
  const start = STAMP + (isV1 ? 6 : 10);
  const end = start + payload;
  const sum = checkSum(record, STAMP + 1, end, message.seed);
  if (sum !== record.getUint16(end, true)) return 'bad';
  // MAVLink 2 omits zeros at the end of the payload.
  const fields = new Uint8Array(message.bytes);
  fields.set(new Uint8Array(record.buffer, record.byteOffset + start, Math.min(payload, message.bytes)));
  return message.read(new DataView(fields.buffer), { logUs: Number(record.getBigUint64(0)), unit: system });
}

function systemTime(view: DataView, from: From): LogRecord[] {
  const utcUs = Number(view.getBigUint64(0, true));
  return isUtc(utcUs) ? [{ kind: 'utc', ...from, utcUs }] : [];
}

function gpsRaw(view: DataView, from: From): LogRecord[] {
  const fix = view.getUint8(28);
  if (fix < FIX_2D) return [];
  const speed = view.getUint16(24, true);
  const place = { latitude: view.getInt32(8, true) / 1e7, longitude: view.getInt32(12, true) / 1e7 };
  const altitude = fix >= FIX_3D ? view.getInt32(16, true) / 1000 : null;
  return [{ kind: 'position', ...from, ...place, altitude, speed: speed === SPEED_UNKNOWN ? null : speed / 100 }];
}

function attitude(view: DataView, from: From): LogRecord[] {
  const degrees = (at: number) => view.getFloat32(at, true) * DEGREES;
  return [{ kind: 'attitude', ...from, roll: degrees(4), pitch: degrees(8), yaw: degrees(12) }];
}

/** CRC-16/MCRF4XX of all bytes after the first, followed by the seed of the message. */
export function checkSum(view: DataView, from: number, to: number, seed: number): number {
  let sum = 0xffff;
  const add = (byte: number) => {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >> 1) ^ 0x8408 : sum >> 1;
  };
  for (let at = from; at < to; at += 1) add(view.getUint8(at));
  add(seed);
  return sum;
}
