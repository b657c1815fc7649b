import type { ByteInput } from './byte-input.ts';
import { FIX_2D, FIX_3D, isUtc, type LogDamage, type LogRecord } from './log-record.ts';

const [MAGIC_1, MAGIC_2] = [0xa3, 0x95];
const HEAD = 3;
const FORMAT_TYPE = 128;
const FORMAT_BYTES = 89;

const GPS_EPOCH_US = Date.UTC(1980, 0, 6) * 1000;
const WEEK_US = 7 * 86_400_000_000;
/** Seconds by which GPS time is ahead of UTC from each of these days on (IERS Bulletin C). */
const LEAPS = [
  [Date.UTC(2017, 0, 1), 18],
  [Date.UTC(2015, 6, 1), 17],
  [Date.UTC(2012, 6, 1), 16],
  [0, 15],
] as const;

type Read = (view: DataView, at: number) => number;
type Field = (message: DataView) => number;
/** Format letters: size of a field in bytes, and how its number is read. Texts, arrays and flags are not read. */
const FIELDS: Record<string, readonly [bytes: number, read: Read | null]> = {
  a: [64, null],
  b: [1, (view, at) => view.getInt8(at)],
  B: [1, (view, at) => view.getUint8(at)],
  h: [2, (view, at) => view.getInt16(at, true)],
  H: [2, (view, at) => view.getUint16(at, true)],
  i: [4, (view, at) => view.getInt32(at, true)],
  I: [4, (view, at) => view.getUint32(at, true)],
  f: [4, (view, at) => view.getFloat32(at, true)],
  d: [8, (view, at) => view.getFloat64(at, true)],
  g: [2, null],
  n: [4, null],
  N: [16, null],
  Z: [64, null],
  c: [2, (view, at) => view.getInt16(at, true) / 100],
  C: [2, (view, at) => view.getUint16(at, true) / 100],
  e: [4, (view, at) => view.getInt32(at, true) / 100],
  E: [4, (view, at) => view.getUint32(at, true) / 100],
  L: [4, (view, at) => view.getInt32(at, true) / 1e7],
  M: [1, null],
  q: [8, (view, at) => Number(view.getBigInt64(at, true))],
  Q: [8, (view, at) => Number(view.getBigUint64(at, true))],
};

/** `fields` is filled only for messages that are read. */
type Format = { name: string; length: number; fields: ReadonlyMap<string, Field> };

/** Returns whether bytes begin with a format message (FMT) that is followed by another message. */
export const isDataflash = (head: Uint8Array): boolean =>
  head[0] === MAGIC_1 &&
  head[1] === MAGIC_2 &&
  head[2] === FORMAT_TYPE &&
  (head.length <= FORMAT_BYTES || head[FORMAT_BYTES] === MAGIC_1);

/**
 * Reads the messages GPS and ATT of an ArduPilot log (`.bin`) with `TimeUS`, according to the log's FMT messages. After
 * damage, continues with the next message of a described type.
 */
export async function* readDataflash(input: ByteInput, damage: LogDamage): AsyncGenerator<LogRecord> {
  const formats = new Map<number, Format>();
  while (input.left() >= HEAD || (await input.has(HEAD))) {
    const head = input.peek(HEAD);
    const isMessage = head.getUint8(0) === MAGIC_1 && head.getUint8(1) === MAGIC_2;
    const type = head.getUint8(2);
    const format = isMessage ? formats.get(type) : undefined;
    const length = isMessage && type === FORMAT_TYPE ? FORMAT_BYTES : format?.length;
    if (length === undefined) {
      damage.passedBytes += 1;
      input.skip(1);
      continue;
    }
    if (input.left() < length && !(await input.has(length))) break;
    const view = input.peek(length);
    if (type === FORMAT_TYPE) describe(view, formats);
    else if (format && format.fields.size > 0) yield* recordsOf(view, format);
    input.skip(length);
  }
  damage.isCut ||= input.left() > 0;
}

function describe(view: DataView, formats: Map<number, Format>): void {
  const text = (at: number, length: number) =>
    Buffer.from(view.buffer, view.byteOffset + at, length)
      .toString('latin1')
      .replace(/\0.*$/s, '');
  const [type, length, name] = [view.getUint8(3), view.getUint8(4), text(5, 4)];
  if (length < HEAD || type === FORMAT_TYPE) return;
  const fields = new Map<string, Field>();
  const isRead = name === 'GPS' || name === 'ATT';
  const labels = text(25, 64).split(',');
  let at = HEAD;
  for (const [index, letter] of [...(isRead ? text(9, 16) : '')].entries()) {
    const [bytes, read] = FIELDS[letter] ?? [256, null];
    const start = at;
    at += bytes;
    if (at > length) break;
    if (read) fields.set(labels[index] ?? '', (message) => read(message, start));
  }
  formats.set(type, { name, length, fields });
}

function* recordsOf(view: DataView, { name, fields }: Format): Generator<LogRecord> {
  const value = (label: string): number | null => fields.get(label)?.(view) ?? null;
  const logUs = value('TimeUS');
  if (logUs === null) return;
  if (name === 'ATT') {
    const [roll, pitch, yaw] = [value('Roll'), value('Pitch'), value('Yaw')];
    if (roll === null || pitch === null || yaw === null) return;
    yield { kind: 'attitude', logUs, unit: null, roll, pitch, yaw };
    return;
  }
  const fix = value('Status') ?? 0;
  const [latitude, longitude] = [value('Lat'), value('Lng')];
  if (fix < FIX_2D || latitude === null || longitude === null) return;
  const unit = value('I') ?? 0;
  const utcUs = gpsTime(value('GWk'), value('GMS'));
  if (utcUs !== null) yield { kind: 'utc', logUs, unit, utcUs };
  const altitude = fix >= FIX_3D ? value('Alt') : null;
  yield { kind: 'position', logUs, unit, latitude, longitude, altitude, speed: value('Spd') };
}

/** Converts GPS week and milliseconds to UTC; null if the receiver does not know them. */
function gpsTime(week: number | null, ms: number | null): number | null {
  if (week === null || ms === null) return null;
  const gpsUs = GPS_EPOCH_US + week * WEEK_US + ms * 1000;
  const leap = LEAPS.find(([fromMs]) => gpsUs >= fromMs * 1000)?.[1] ?? 0;
  const utcUs = gpsUs - leap * 1e6;
  return isUtc(utcUs) ? utcUs : null;
}
