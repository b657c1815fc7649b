import type { Cursor } from './cursor.ts';
import type { Value } from './value.ts';

const UUID_BYTES = 16;

/**
 * Positions of the fields in the usage byte (ST 1204.3 section 7.2): kind of sensor id, kind of platform id, then flags
 * for window id and minor id.
 */
const SENSOR_SHIFT = 5;
const PLATFORM_SHIFT = 3;
const WINDOW_BIT = 0x04;
const MINOR_BIT = 0x02;

/**
 * Reads a motion imagery identification (ST 1204.3), which identifies the sensor and the platform from which the stream
 * comes.
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

/** Returns 16 bytes as lower-case hex in the form 8-4-4-4-12. */
export function readUuid(cursor: Cursor): string {
  const start = cursor.take(UUID_BYTES);
  const hex = Array.from(cursor.bytes.subarray(start, cursor.at), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
