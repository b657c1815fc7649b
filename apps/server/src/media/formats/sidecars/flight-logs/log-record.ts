import type { ByteInput } from './byte-input.ts';

/**
 * One record of a flight log. `logUs`: microseconds of the log's own clock. `unit`: number of the receiver or vehicle
 * that it comes from, 0 to 255; null if the log has only one.
 */
export type LogRecord = { logUs: number; unit: number | null } & (
  | { kind: 'position'; latitude: number; longitude: number; altitude: number | null; speed: number | null }
  | { kind: 'attitude'; roll: number; pitch: number; yaw: number }
  | { kind: 'utc'; utcUs: number }
);

/** Unreadable parts of a log. */
export type LogDamage = {
  /** Number of bytes that belong to no record. */
  passedBytes: number;
  /** Number of records whose content contradicts their checksum, their format or the clock of the log. */
  badRecords: number;
  /** True if the log ends within a record. */
  isCut: boolean;
};

export const noDamage = (): LogDamage => ({ passedBytes: 0, badRecords: 0, isCut: false });

/** Reads one kind of log. Damage is added to `damage`; throws only for a log that cannot be read at all. */
export type LogReader = (input: ByteInput, damage: LogDamage) => AsyncGenerator<LogRecord>;

/**
 * Fix types, which are the same in MAVLink, PX4 and ArduPilot: below 2 there is no fix, from 3 on there is an altitude.
 */
export const FIX_2D = 2;
export const FIX_3D = 3;

const FIRST_GPS_US = Date.UTC(2000, 0, 1) * 1000;
const LAST_US = Date.UTC(2100, 0, 1) * 1000;

/**
 * Returns whether a time is valid: a receiver that does not know the time reports 0, or the first day of its calendar.
 */
export const isUtc = (us: number): boolean => us > FIRST_GPS_US && us < LAST_US;
