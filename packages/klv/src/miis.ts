import type { Cursor } from './cursor.ts';
import type { Value } from './value.ts';

const UUID_BYTES = 16;

/** Bits of the usage byte (ST 1204.3 section 7.2): kind of sensor and platform id, then window and minor id. */
const SENSOR_SHIFT = 5;
const PLATFORM_SHIFT = 3;
const WINDOW_BIT = 0x04;
const MINOR_BIT = 0x02;

/**
 * Motion imagery identification (ST 1204.3): which sensor on which platform this stream comes from.
 *
 * `sensorKind` and `platformKind` are 0 none, 1 managed, 2 virtual, 3 physical; ids are UUIDs as text.
 */
export function readMiisId(cursor: Cursor): Value {
  const version = cursor.uint(1);
  const usage = cursor.uint(1);
  const sensorKind = (usage >> SENSOR_SHIFT) & 3;
  const platformKind = (usage >> PLATFORM_SHIFT) & 3;
  return {
    version,
    sensorKind,
    platformKind,
    sensorId: sensorKind === 0 ? null : readUuid(cursor),
    platformId: platformKind === 0 ? null : readUuid(cursor),
    windowId: usage & WINDOW_BIT ? readUuid(cursor) : null,
    minorId: usage & MINOR_BIT ? readUuid(cursor) : null,
  };
}

/** 16 bytes as 8-4-4-4-12 lower-case hex. */
export function readUuid(cursor: Cursor): string {
  const start = cursor.take(UUID_BYTES);
  const hex = Array.from(cursor.bytes.subarray(start, cursor.at), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
