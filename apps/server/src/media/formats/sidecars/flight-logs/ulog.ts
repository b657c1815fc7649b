import { AppError } from '@osprey/contract';
import type { ByteInput } from './byte-input.ts';
import { FIX_2D, FIX_3D, isUtc, type LogDamage, type LogRecord } from './log-record.ts';
import { createUlogFormats, type UlogFields } from './ulog-formats.ts';

const MAGIC = [0x55, 0x4c, 0x6f, 0x67, 0x01, 0x12, 0x35];
const FILE_HEAD = 16;
const HEAD = 3;
/**
 * Topics with positions of receivers, the preferred one first. The names of their coordinate fields depend on the age
 * of the firmware.
 */
const RECEIVERS = ['vehicle_gps_position', 'sensor_gps'];
const ATTITUDE = 'vehicle_attitude';
const FLAG_BYTES = 40;
const HAS_APPENDED = 1;
const DEGREES = 180 / Math.PI;

export const isUlog = (head: Uint8Array): boolean => MAGIC.every((byte, index) => head[index] === byte);

type Topic = { name: string; unit: number; fields: UlogFields };

/**
 * Reads the topics vehicle_gps_position (or sensor_gps) and vehicle_attitude of a PX4 log (`.ulg`), according to the
 * formats in the log; only the first instance of each.
 *
 * @throws AppError badFile for a log that uses an unknown incompatible feature
 */
export async function* readUlog(input: ByteInput, damage: LogDamage): AsyncGenerator<LogRecord> {
  if (!(await input.has(FILE_HEAD))) {
    damage.isCut = true;
    return;
  }
  input.skip(FILE_HEAD);
  const formats = createUlogFormats();
  const topics = new Map<number, Topic>();
  let appended: number[] = [];
  while (input.left() >= HEAD || (await input.has(HEAD))) {
    const head = input.peek(HEAD);
    const [length, type] = [HEAD + head.getUint16(0, true), String.fromCharCode(head.getUint8(2))];
    const before = input.position();
    // Data appended after a power failure begins where the previous message was interrupted.
    const cut = appended.find((offset) => offset > before && offset < before + length);
    if (cut !== undefined) {
      if (!(await input.has(cut - before))) break;
      damage.passedBytes += cut - before;
      input.skip(cut - before);
      continue;
    }
    if (!/[A-Z]/.test(type)) {
      // The start of the next message cannot be found.
      damage.badRecords += 1;
      return;
    }
    if (input.left() < length && !(await input.has(length))) break;
    const view = input.peek(length);
    if (type === 'B') appended = appendedOf(view);
    else if (type === 'F') formats.add(textOf(view, HEAD));
    else if (type === 'A') subscribe(view, topics, formats.fieldsOf);
    else if (type === 'D' && length >= HEAD + 2) {
      const topic = topics.get(view.getUint16(HEAD, true));
      if (topic) yield* recordsOf(view, topic);
    }
    input.skip(length);
  }
  damage.isCut ||= input.left() > 0;
}

const textOf = (view: DataView, at: number): string =>
  Buffer.from(view.buffer, view.byteOffset + at, view.byteLength - at).toString('latin1');

/** Returns the offsets at which data was appended. */
function appendedOf(view: DataView): number[] {
  if (view.byteLength < HEAD + FLAG_BYTES) return [];
  const unknown = Array.from({ length: 8 }, (_, index) => view.getUint8(HEAD + 8 + index));
  const isAppended = (unknown[0]! & HAS_APPENDED) !== 0;
  unknown[0]! &= ~HAS_APPENDED;
  if (unknown.some((flags) => flags !== 0)) {
    throw new AppError('badFile', { reason: 'it is a PX4 log of a later form, which is not read' });
  }
  return isAppended ? [0, 1, 2].map((index) => Number(view.getBigUint64(HEAD + 16 + 8 * index, true))) : [];
}

function subscribe(view: DataView, topics: Map<number, Topic>, fieldsOf: (format: string) => UlogFields): void {
  if (view.byteLength < HEAD + 4) return;
  const [instance, id, name] = [view.getUint8(HEAD), view.getUint16(HEAD + 1, true), textOf(view, HEAD + 3)];
  topics.delete(id);
  const receiver = RECEIVERS.indexOf(name);
  if (instance !== 0 || (receiver < 0 && name !== ATTITUDE)) return;
  topics.set(id, { name, unit: receiver, fields: fieldsOf(name) });
}

function* recordsOf(view: DataView, { name, unit, fields }: Topic): Generator<LogRecord> {
  const value = (field: string): number | null => fields.get(field)?.(view, HEAD + 2) ?? null;
  const scaled = (field: string, divisor: number): number | null => {
    const number = value(field);
    return number === null ? null : number / divisor;
  };
  const logUs = value('timestamp');
  if (logUs === null) return;
  if (name === ATTITUDE) {
    const [w, x, y, z] = [value('q[0]'), value('q[1]'), value('q[2]'), value('q[3]')];
    if (w === null || x === null || y === null || z === null) return;
    yield { kind: 'attitude', logUs, unit: null, ...anglesOf(w, x, y, z) };
    return;
  }
  const fix = value('fix_type') ?? 0;
  const latitude = value('latitude_deg') ?? scaled('lat', 1e7);
  const longitude = value('longitude_deg') ?? scaled('lon', 1e7);
  if (fix < FIX_2D || latitude === null || longitude === null) return;
  const utcUs = value('time_utc_usec');
  if (utcUs !== null && isUtc(utcUs)) yield { kind: 'utc', logUs, unit, utcUs };
  const altitude = fix >= FIX_3D ? (value('altitude_msl_m') ?? scaled('alt', 1000)) : null;
  yield { kind: 'position', logUs, unit, latitude, longitude, altitude, speed: value('vel_m_s') };
}

/** Converts a quaternion from north-east-down to the body of the aircraft into angles in degrees. */
function anglesOf(w: number, x: number, y: number, z: number) {
  return {
    roll: Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)) * DEGREES,
    pitch: Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))) * DEGREES,
    yaw: Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) * DEGREES,
  };
}
