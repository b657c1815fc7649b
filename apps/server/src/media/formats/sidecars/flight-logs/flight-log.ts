import type { SidecarRow } from '../row.ts';
import { setNumber } from '../values.ts';
import { createByteInput } from './byte-input.ts';
import { isDataflash, readDataflash } from './dataflash.ts';
import { type LogDamage, type LogReader, type LogRecord, noDamage } from './log-record.ts';
import { isTlog, readTlog } from './tlog.ts';
import { isUlog, readUlog } from './ulog.ts';

export type FlightLogFormat = 'ulog' | 'dataflash' | 'tlog';

const READERS: Record<FlightLogFormat, LogReader> = { ulog: readUlog, dataflash: readDataflash, tlog: readTlog };

/** Names of flight logs, for use in sentences. */
export const FLIGHT_LOG_NAMES: Record<FlightLogFormat, string> = {
  ulog: 'a log of PX4 (.ulg)',
  dataflash: 'a log of ArduPilot (.bin)',
  tlog: 'a MAVLink log (.tlog)',
};

const TAG = { heading: 5, latitude: 13, longitude: 14, altitude: 15, groundSpeed: 56, pitch: 90, roll: 91 } as const;
/**
 * Minimum interval between two records of a kind, in microseconds, since attitude is logged up to a thousand times a
 * second.
 */
const INTERVAL_US = 100_000;
/** Maximum jump of the log's clock, in microseconds; a record further ahead is refused. */
const JUMP_US = 86_400_000_000;
const BACK_US = 10_000_000;
/** Number of refused records in a row after which the one before them is considered wrong. */
const REFUSED_MAX = 16;
const DIFFERENCES_MAX = 4096;

/** Determines the format of a flight log from its first bytes; null for other files. */
export function flightLogFormat(head: Uint8Array): FlightLogFormat | null {
  if (isUlog(head)) return 'ulog';
  if (isDataflash(head)) return 'dataflash';
  return isTlog(head) ? 'tlog' : null;
}

export type FlightLog = {
  /** `video`: the log contains no date, so its times count from its first record. */
  clock: 'utc' | 'video';
  rows: AsyncGenerator<SidecarRow>;
  /** Describes unreadable parts as an unfinished sentence; null if there are none. Call it after the last row. */
  damage: () => string | null;
};

/**
 * Opens a flight log. A first pass determines its clock and its receiver, a second one yields the rows. @throws
 * AppError badFile
 */
export async function readFlightLog(
  format: FlightLogFormat,
  open: () => AsyncIterable<Uint8Array>,
): Promise<FlightLog> {
  const survey = await surveyLog(recordsOf(format, open(), noDamage()));
  const damage = noDamage();
  // A ground station writes its own time, which is correct apart from its drift.
  const shiftUs = survey.shiftUs ?? (format === 'tlog' ? 0 : null);
  return {
    clock: shiftUs === null ? 'video' : 'utc',
    rows: rowsOf(recordsOf(format, open(), damage), survey.unit, shiftUs ?? -survey.firstUs),
    damage: () => [damageText(damage), othersText(survey.others)].filter((text) => text !== null).join('; ') || null,
  };
}

/** Yields the records of a log, and closes the file even if reading stops early. */
async function* recordsOf(
  format: FlightLogFormat,
  source: AsyncIterable<Uint8Array>,
  damage: LogDamage,
): AsyncGenerator<LogRecord> {
  const input = createByteInput(source);
  try {
    yield* inOrder(READERS[format](input, damage), damage);
  } finally {
    await input.close();
  }
}

/** Yields the records with a plausible time. */
async function* inOrder(records: AsyncGenerator<LogRecord>, damage: LogDamage): AsyncGenerator<LogRecord> {
  let lastUs: number | null = null;
  let refused = 0;
  for await (const record of records) {
    const { logUs } = record;
    const isOff: boolean = lastUs !== null && (logUs > lastUs + JUMP_US || logUs < lastUs - BACK_US);
    if (isOff && refused < REFUSED_MAX) {
      refused += 1;
      damage.badRecords += 1;
      continue;
    }
    lastUs = isOff ? logUs : Math.max(lastUs ?? logUs, logUs);
    refused = 0;
    yield record;
  }
}

/**
 * Determines facts of a whole log. `unit`: the receiver or vehicle with most positions; `others`: number of positions
 * of all others.
 */
async function surveyLog(records: AsyncGenerator<LogRecord>) {
  const positions = new Map<number | null, number>();
  let firstUs = Number.POSITIVE_INFINITY;
  let differences: number[] = [];
  let every = 1;
  let times = 0;
  for await (const record of records) {
    const { kind, logUs, unit } = record;
    firstUs = Math.min(firstUs, logUs);
    if (kind === 'position') positions.set(unit, (positions.get(unit) ?? 0) + 1);
    if (kind !== 'utc') continue;
    if (times % every === 0) differences.push(record.utcUs - logUs);
    times += 1;
    if (differences.length < DIFFERENCES_MAX) continue;
    differences = differences.filter((_, index) => index % 2 === 0);
    every *= 2;
  }
  const sorted = differences.sort((a, b) => a - b);
  const [first = null, ...others] = [...positions].sort((a, b) => b[1] - a[1]);
  return {
    unit: first?.[0] ?? null,
    others: others.reduce((sum, [, count]) => sum + count, 0),
    firstUs,
    // The median ignores a receiver that is wrong for a few records, at its start or at a leap second.
    shiftUs: sorted[Math.floor(sorted.length / 2)] ?? null,
  };
}

async function* rowsOf(
  records: AsyncGenerator<LogRecord>,
  unit: number | null,
  shiftUs: number,
): AsyncGenerator<SidecarRow> {
  const nextUs = { position: Number.NEGATIVE_INFINITY, attitude: Number.NEGATIVE_INFINITY };
  for await (const record of records) {
    if (record.kind === 'utc' || record.logUs < nextUs[record.kind]) continue;
    if (record.unit !== null && unit !== null && record.unit !== unit) continue;
    const values = valuesOf(record);
    if (Object.keys(values).length === 0) continue;
    nextUs[record.kind] = record.logUs + INTERVAL_US;
    yield { timeUs: Math.round(record.logUs + shiftUs), values };
  }
}

function valuesOf(record: Exclude<LogRecord, { kind: 'utc' }>): SidecarRow['values'] {
  const values: SidecarRow['values'] = {};
  const set = (tag: number, value: number | null) =>
    setNumber(values, tag, value !== null && Number.isFinite(value) ? value : null);
  if (record.kind === 'attitude') {
    set(TAG.heading, ((record.yaw % 360) + 360) % 360);
    set(TAG.pitch, record.pitch);
    set(TAG.roll, record.roll);
    return values;
  }
  const { latitude, longitude, altitude, speed } = record;
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && !(latitude === 0 && longitude === 0);
  if (!isPlace) return values;
  set(TAG.latitude, latitude);
  set(TAG.longitude, longitude);
  set(TAG.altitude, altitude);
  set(TAG.groundSpeed, speed);
  return values;
}

function damageText({ passedBytes, badRecords, isCut }: LogDamage): string | null {
  const parts = [
    ...(passedBytes > 0 ? [`${passedBytes} bytes in it belong to no record`] : []),
    ...(badRecords > 0 ? [`${badRecords} of its records are damaged`] : []),
    ...(isCut ? ['it ends within a record'] : []),
  ];
  return parts.length === 0 ? null : `${parts.join(', ')}; what could be read is shown`;
}

const othersText = (count: number): string | null =>
  count === 0 ? null : `${count} positions of a second receiver or vehicle are left out`;
