import type { ByteInput } from './byte-input.ts';

/**
 * One moment of a flight log. `logUs`: microseconds of the log's own clock. `unit`: which receiver or vehicle it comes
 * from, 0 to 255; null if the log has one alone.
 */
export type LogRecord = { logUs: number; unit: number | null } & (
  | { kind: 'position'; latitude: number; longitude: number; altitude: number | null; speed: number | null }
  | { kind: 'attitude'; roll: number; pitch: number; yaw: number }
  | { kind: 'utc'; utcUs: number }
);

/** Unreadable parts of a log. */
export type LogDamage = {
  /** Bytes that belong to no record. */
  passedBytes: number;
  /** Records whose content contradicts their check sum, their format or the clock of the log. */
  badRecords: number;
  /** The log ends within a record. */
  isCut: boolean;
};

export const noDamage = (): LogDamage => ({ passedBytes: 0, badRecords: 0, isCut: false });

/** Reads one kind of log. It adds damage to `damage`, and throws only for a log that it cannot read at all. */
export type LogReader = (input: ByteInput, damage: LogDamage) => AsyncGenerator<LogRecord>;

/** Fix of MAVLink, PX4 and ArduPilot alike: below 2 there is none, from 3 on there is a height. */
export const FIX_2D = 2;
export const FIX_3D = 3;

const FIRST_GPS_US = Date.UTC(2000, 0, 1) * 1000;
const LAST_US = Date.UTC(2100, 0, 1) * 1000;

/** A receiver that does not know the time gives 0, or the first day of its calendar. */
export const isUtc = (us: number): boolean => us > FIRST_GPS_US && us < LAST_US;
